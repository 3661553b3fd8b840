import { Contexts } from '../../src/activities/contexts.ts';
import type { AssistantMessage, Message, ModelReply } from '../../src/contract.ts';
import { noUsage } from '../../src/core/usage.ts';
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

describe('a paid reply and the context behind it', () => {
  const message: AssistantMessage = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'write', arguments: '{"text":"long"}' } }],
  };
  const replyOf = (id: string, more: Partial<ModelReply> = {}): ModelReply => ({
    message,
    context: { id, entries: 2 },
    usage: noUsage,
    warnings: ['a warning'],
    ...more,
  });
  /** Keeps a reply to one question, as the worker does that has asked it. */
  async function kept(store: Store, reply: ModelReply, whole = reply.message): Promise<Contexts> {
    const contexts = new Contexts(store);
    await contexts.keepReply(contexts.extend(undefined, [user('a')], 'memory'), whole, reply);
    return contexts;
  }

  test('are found by a worker that has not asked', async () => {
    const store = memoryStore();
    await kept(store, replyOf('attempt-1'));
    const other = new Contexts(store);
    expect(await other.reply('attempt-1')).toEqual(replyOf('attempt-1'));
    expect(await other.load('attempt-1')).toEqual({ id: 'attempt-1', messages: [user('a'), message] });
    expect(await other.reply('attempt-2')).toBeUndefined();
  });

  test('differ where its arguments are too large for the history: the model reads them whole', async () => {
    const store = memoryStore();
    const [call] = message.tool_calls!;
    const short = { ...message, tool_calls: [{ ...call!, function: { name: 'write', arguments: '{}' } }] };
    const reply = replyOf('attempt-1', { message: short, plan: [{ hash: 'h', argsRef: 'arguments/1' }] });
    const contexts = await kept(store, reply, message);
    for (const worker of [contexts, new Contexts(store)]) {
      expect(await worker.reply('attempt-1')).toEqual(reply);
      expect((await worker.load('attempt-1'))?.messages).toEqual([user('a'), message]);
    }
  });

  test('are two of each for two attempts at once', async () => {
    const store = memoryStore();
    const contexts = new Contexts(store);
    const asked = contexts.extend(undefined, [user('a')], 'memory');
    const other: AssistantMessage = { role: 'assistant', content: 'otherwise' };
    await Promise.all([
      contexts.keepReply(asked, message, replyOf('attempt-1')),
      contexts.keepReply(asked, other, replyOf('attempt-2', { message: other })),
    ]);
    for (const worker of [contexts, new Contexts(store)]) {
      expect((await worker.load('attempt-1'))?.messages.at(-1)).toEqual(message);
      expect((await worker.load('attempt-2'))?.messages.at(-1)).toEqual(other);
    }
  });

  test('are those of the last attempt that had the number: an activity that is reset counts from 1 again', async () => {
    const store = memoryStore();
    const contexts = await kept(store, replyOf('attempt-1'));
    const again: AssistantMessage = { role: 'assistant', content: 'again' };
    const asked = contexts.extend(undefined, [user('a')], 'memory');
    await contexts.keepReply(asked, again, replyOf('attempt-1', { message: again }));
    for (const worker of [contexts, new Contexts(store)]) {
      expect(await worker.reply('attempt-1')).toMatchObject({ message: again });
      expect((await worker.load('attempt-1'))?.messages).toEqual([user('a'), again]);
    }
  });

  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['damaged', (bytes) => bytes.map((byte, i) => (i === bytes.length - 30 ? byte ^ 1 : byte))],
    ['cut', (bytes) => bytes.slice(0, -1)],
  ])('are both lost when their record is %s', async (_, spoilt) => {
    const store = memoryStore();
    await kept(store, replyOf('attempt-1'));
    await store.put('context/attempt-1', spoilt((await store.get('context/attempt-1'))!));
    const other = new Contexts(store);
    expect(await other.reply('attempt-1')).toBeUndefined();
    expect(await other.load('attempt-1')).toBeUndefined();
  });

  test('are lost when the store mixes up its keys', async () => {
    const store = memoryStore();
    await kept(store, replyOf('attempt-1'));
    await store.put('context/attempt-2', (await store.get('context/attempt-1'))!);
    expect(await new Contexts(store).reply('attempt-2')).toBeUndefined();
  });

  test('are not lost together: without what was asked before it, the reply is still there', async () => {
    const store = memoryStore();
    const contexts = new Contexts(store);
    const first = contexts.extend(undefined, [user('a')]);
    await contexts.keepReply(contexts.extend(first, [user('b')], 'memory'), message, replyOf('attempt-1'));
    await store.put(`context/${first.id}`, new Uint8Array());
    const other = new Contexts(store);
    expect(await other.load('attempt-1')).toBeUndefined();
    expect(await other.reply('attempt-1')).toEqual(replyOf('attempt-1'));
  });
});
