import { dependableStore } from '../../src/stores/dependable-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { storeContract } from './store-contract.ts';

const unexpected = (operation: string, error: unknown): never => {
  throw new Error(`${operation}: ${String(error)}`);
};
storeContract('dependableStore of memory', () =>
  Promise.resolve(dependableStore(memoryStore({ maxBytes: 100_000_000 }), unexpected)),
);

const value = Buffer.from('value');
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

/** A memory store whose writes wait until the test lets them go on. */
function held(): Store & { goOn(kept?: boolean): Promise<void> } {
  const store = memoryStore();
  const waiting: ((kept: boolean) => void)[] = [];
  return {
    ...store,
    async put(key, bytes) {
      const kept = await new Promise<boolean>((resolve) => waiting.push(resolve));
      return kept && (await store.put(key, bytes));
    },
    async goOn(kept = true) {
      waiting.shift()?.(kept);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('what is being written is read, and once it is written it comes from the store', async () => {
  const inner = held();
  const store = dependableStore(inner, unexpected);
  const kept = store.put('key', value);
  expect(await inner.get('key')).toBeUndefined();
  expect(textOf(await store.get('key'))).toBe('value');
  await inner.goOn();
  expect(await kept).toBe(true);
  await inner.close();
  expect(await store.get('key')).toBeUndefined();
});

test('what could not be written is gone', async () => {
  const inner = held();
  const store = dependableStore(inner, unexpected);
  const kept = store.put('key', value);
  await inner.goOn(false);
  expect(await kept).toBe(false);
  expect(await store.get('key')).toBeUndefined();
});

test('of two values that are being written under one key the newer one is read, whichever is done first', async () => {
  const inner = held();
  const store = dependableStore(inner, unexpected);
  const both = [store.put('key', Buffer.from('old')), store.put('key', Buffer.from('new'))];
  expect(textOf(await store.get('key'))).toBe('new');
  await inner.goOn();
  expect(textOf(await store.get('key'))).toBe('new');
  await inner.goOn();
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(textOf(await store.get('key'))).toBe('new');
});

test.each<[string, () => never]>([
  ['rejects', () => Promise.reject(new Error('on fire')) as never],
  [
    'throws',
    () => {
      throw new Error('on fire');
    },
  ],
])('a store that %s has not kept and has nothing, and that is said', async (_, fail) => {
  const said: string[] = [];
  const failing: Store = { get: fail, put: fail, close: () => Promise.resolve() };
  const store = dependableStore(failing, (operation, error) => said.push(`${operation}: ${String(error)}`));
  expect(await store.put('key', value)).toBe(false);
  expect(await store.get('key')).toBeUndefined();
  expect(said).toEqual(['put: Error: on fire', 'get: Error: on fire']);
});

test('a store that never answers has not kept and has nothing, and what it was to keep is forgotten', async () => {
  const said: string[] = [];
  const silent: Store = {
    get: () => new Promise(() => {}),
    put: () => new Promise(() => {}),
    close: () => Promise.resolve(),
  };
  const store = dependableStore(
    silent,
    (operation, error) => said.push(`${operation}: ${String(error)}`),
    20,
  );
  expect(await store.put('key', value)).toBe(false);
  expect(await store.get('key')).toBeUndefined();
  expect(said).toEqual(['put: Error: no answer within 20 ms', 'get: Error: no answer within 20 ms']);
});
