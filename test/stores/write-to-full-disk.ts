/**
 * Run in a process of its own whose files may not grow over 1 MB, which fails in the middle of a write as a full disk
 * does. Prints what the store answered, as JSON. Arguments: the directory.
 */
import { fileStore } from '../../src/stores/file-store.ts';

const codes: unknown[] = [];
const store = fileStore({
  directory: process.argv[2] ?? '',
  onError: (operation, error) => codes.push([operation, (error as { code?: unknown }).code]),
});
const small = await store.put('key', Buffer.from('small'));
const large = await store.put('key', Buffer.alloc(5_000_000));
const read = Buffer.from((await store.get('key')) ?? []).toString();
console.log(JSON.stringify({ small, large, read, codes }));
