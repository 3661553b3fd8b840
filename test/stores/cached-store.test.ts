import { cachedStore } from '../../src/stores/cached-store.ts';
import { fileStore } from '../../src/stores/file-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { storeContract } from './store-contract.ts';
import { temporaryDirectory } from './temporary-directory.ts';

storeContract('cachedStore of memory before files', async () =>
  cachedStore(memoryStore(), fileStore({ directory: await temporaryDirectory() })),
);

const value = Buffer.from('value');

test('what only the back store has is read and kept in front', async () => {
  const front = memoryStore();
  const back = memoryStore();
  await back.put('key', value);
  expect(await cachedStore(front, back).get('key')).toBeDefined();
  expect(await front.get('key')).toBeDefined();
});

test('a value that the front store has no room for is read from the back store', async () => {
  const store = cachedStore(memoryStore({ maxBytes: 10 }), memoryStore());
  await store.put('k', Buffer.from('old'));
  expect(await store.put('k', Buffer.from('new and long'))).toBe(true);
  expect(Buffer.from((await store.get('k')) ?? []).toString()).toBe('new and long');
});

test('it says so when the back store could not keep a value', async () => {
  const store = cachedStore(memoryStore(), memoryStore({ maxBytes: 1 }));
  expect(await store.put('key', value)).toBe(false);
});
