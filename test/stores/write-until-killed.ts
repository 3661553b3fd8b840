/** Run in a process of its own: writes values of one letter each under one key, for ever. Arguments: the directory. */
import { fileStore } from '../../src/stores/file-store.ts';

const store = fileStore({ directory: process.argv[2] ?? '' });
for (let count = 0; ; count++) {
  await store.put('key', Buffer.alloc(2_000_000, String.fromCharCode(97 + (count % 26))));
  console.log('written');
}
