import { memoryStore } from '../../src/stores/memory-store.ts';
import { storeContract } from './store-contract.ts';

storeContract('memoryStore', async () => memoryStore());

const filled = (length: number): Uint8Array => new Uint8Array(length);

test('beyond its bytes the least recently used value goes', async () => {
  const store = memoryStore({ maxBytes: 350 });
  for (const key of ['a', 'b', 'c']) await store.put(key, filled(100));
  await store.get('a');
  await store.put('d', filled(100));
  expect(await store.get('b')).toBeUndefined();
  for (const key of ['a', 'c', 'd']) expect((await store.get(key))?.length).toBe(100);
});

test('a value that never fits is not kept, and neither is the older one under its key', async () => {
  const store = memoryStore({ maxBytes: 150 });
  await store.put('key', filled(100));
  expect(await store.put('key', filled(200))).toBe(false);
  expect(await store.get('key')).toBeUndefined();
});

test('writing one key again and again takes the room of one value', async () => {
  const store = memoryStore({ maxBytes: 250 });
  await store.put('other', filled(100));
  for (let count = 0; count < 50; count++) await store.put('key', filled(100));
  expect((await store.get('other'))?.length).toBe(100);
});

test('keys count, so that empty values under many keys are bounded too', async () => {
  const store = memoryStore({ maxBytes: 100 });
  for (let count = 0; count < 100; count++) await store.put(`key-${count}`, filled(0));
  expect(await store.get('key-0')).toBeUndefined();
  expect(await store.get('key-99')).toBeDefined();
});
