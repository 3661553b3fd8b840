import { Contexts } from '../../src/activities/contexts.ts';
import type { Message } from '../../src/contract.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';

const user = (content: string): Message => ({ role: 'user', content });

/** A chain of three contexts in the store. */
async function chain(store: Store): Promise<string[]> {
  const contexts = new Contexts(store);
  const first = contexts.extend(undefined, [user('a'), user('b')]);
  const second = contexts.extend(first, [{ fragment: '{"role":"user",' }]);
  const third = contexts.extend(second, [{ fragment: '"content":"c"}', last: true }, user('d')]);
  const ids = [first, second, third].map(({ id }) => id);
  for (const id of ids) await contexts.written(id);
  return ids;
}

test('a context is loaded by a worker that has not made it, whole messages and pieces joined', async () => {
  const store = memoryStore();
  const [first, second, third] = await chain(store);
  const contexts = new Contexts(store);
  expect(await contexts.load(third!)).toMatchObject({ messages: ['a', 'b', 'c', 'd'].map(user) });
  expect(await contexts.load(second!)).toMatchObject({
    messages: [user('a'), user('b')],
    open: '{"role":"user",',
  });
  expect(await contexts.load(first!)).toMatchObject({ messages: [user('a'), user('b')] });
});

test('the same messages behind the same context have the same id, others another one', () => {
  const contexts = new Contexts(memoryStore());
  const a = contexts.extend(undefined, [user('a')]);
  expect(new Contexts(memoryStore()).extend(undefined, [user('a')]).id).toBe(a.id);
  expect(contexts.extend(a, [user('b')]).id).not.toBe(contexts.extend(undefined, [user('b')]).id);
});

test('one that is begun anew, without the messages before, is loaded like any other', async () => {
  const store = memoryStore();
  const contexts = new Contexts(store);
  const { id } = contexts.extend(await contexts.load(''), [user('a')]);
  await contexts.written(id);
  expect(await new Contexts(store).load(id)).toMatchObject({ messages: [user('a')] });
});

test('one that was made in memory only goes into the store with what is added to it', async () => {
  const store = memoryStore();
  const contexts = new Contexts(store);
  const asked = contexts.extend(undefined, [user('a')], 'memory');
  const { id } = contexts.extend(asked, [user('b')]);
  await contexts.written(id);
  const other = new Contexts(store);
  expect(await other.load(id)).toMatchObject({ messages: [user('a'), user('b')] });
  expect(await other.load(asked.id)).toBeUndefined();
});

test.each<[string, (bytes: Uint8Array) => Uint8Array | undefined]>([
  ['gone', () => undefined],
  ['damaged', (bytes) => bytes.map((byte, i) => (i === 30 ? byte ^ 1 : byte))],
  ['cut', (bytes) => bytes.slice(0, -1)],
  ['empty', () => new Uint8Array()],
  ['another context', () => new TextEncoder().encode('{"items":[{"role":"user","content":"x"}]}')],
])('one of which a part is %s in the store is lost, whatever the store says', async (_, spoilt) => {
  const store = memoryStore();
  const [first, , third] = await chain(store);
  const key = `context/${first}`;
  const bytes = (await store.get(key))!;
  const spoiling: Store = {
    ...store,
    get: async (asked) => (asked === key ? spoilt(bytes) : await store.get(asked)),
  };
  expect(await new Contexts(spoiling).load(third!)).toBeUndefined();
  expect(await new Contexts(store).load(third!)).toBeDefined();
});
