import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import cacache from 'cacache';
import { evict } from '../../src/stores/evict.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const unbounded = { maxBytes: Infinity, maxAgeMs: Infinity };

/** The directory with a value of 100 bytes under each key, written one after the other. Answers each one's time. */
async function filled(root: string, keys: string[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    await cacache.put(root, key, Buffer.alloc(100, index));
    const time = (await entries(root)).find((entry) => entry.key === key)?.time ?? 0;
    times.set(key, time);
    // The index has a resolution of 1 ms, and an order is wanted.
    while (Date.now() <= time);
  }
  return times;
}

async function entries(root: string) {
  const found = [];
  for await (const entry of cacache.ls.stream(root)) found.push(entry);
  return found;
}

const keysIn = async (root: string): Promise<string[]> =>
  (await entries(root)).map((entry) => entry.key).sort();
const isThere = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

test('within its bounds nothing goes', async () => {
  const root = await temporaryDirectory();
  await filled(root, ['a', 'b', 'c']);
  await evict(root, { maxBytes: 300, maxAgeMs: 60_000 });
  expect(await keysIn(root)).toEqual(['a', 'b', 'c']);
});

test('by size the least recently written go first, with their files', async () => {
  const root = await temporaryDirectory();
  await filled(root, ['a', 'b', 'c', 'd']);
  const paths = new Map((await entries(root)).map((entry) => [entry.key, entry.path]));
  await evict(root, { ...unbounded, maxBytes: 250 });
  expect(await keysIn(root)).toEqual(['c', 'd']);
  expect(await isThere(paths.get('a')!)).toBe(false);
  expect(await isThere(paths.get('d')!)).toBe(true);
});

test('by age those go that are older than allowed', async () => {
  const root = await temporaryDirectory();
  const times = await filled(root, ['a', 'b', 'c']);
  await evict(root, { ...unbounded, maxAgeMs: 1_000 }, times.get('b')! + 1_000);
  expect(await keysIn(root)).toEqual(['b', 'c']);
});

test('a value under two keys counts once and stays while one key does', async () => {
  const root = await temporaryDirectory();
  await filled(root, ['a', 'b']);
  await cacache.put(root, 'a again', Buffer.alloc(100, 0));
  await evict(root, { ...unbounded, maxBytes: 200 });
  expect(await keysIn(root)).toEqual(['a', 'a again', 'b']);
  await evict(root, { ...unbounded, maxBytes: 100 });
  expect((await cacache.get(root, 'a again')).data.length).toBe(100);
});

test('overwritten values and files of dead writers go, those of writers at work stay', async () => {
  const root = await temporaryDirectory();
  await cacache.put(root, 'key', Buffer.from('overwritten'));
  const old = (await entries(root))[0]!.path;
  await cacache.put(root, 'key', Buffer.from('current'));
  await mkdir(join(root, 'tmp'), { recursive: true });
  const [dead, atWork] = [join(root, 'tmp', 'dead'), join(root, 'tmp', 'at-work')];
  for (const path of [dead, atWork]) await writeFile(path, 'half');
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const path of [dead, old]) await utimes(path, longAgo, longAgo);
  await evict(root, unbounded);
  expect(await Promise.all([old, dead, atWork].map(isThere))).toEqual([false, false, true]);
  expect(Buffer.from((await cacache.get(root, 'key')).data).toString()).toBe('current');
});

test('a directory that is not there is nothing to evict from', async () => {
  const root = join(await temporaryDirectory(), 'missing');
  await evict(root, unbounded);
  expect(await isThere(root)).toBe(false);
});

test('files beside the store are left alone', async () => {
  const root = await temporaryDirectory();
  await filled(root, ['a']);
  const beside = join(root, 'notes.txt');
  await writeFile(beside, 'notes');
  const longAgo = new Date(0);
  await utimes(beside, longAgo, longAgo);
  await evict(root, { maxBytes: 0, maxAgeMs: 0 });
  expect(await keysIn(root)).toEqual([]);
  expect(await readdir(root)).toContain('notes.txt');
});

test('two evictions at the same time get in no one’s way', async () => {
  const root = await temporaryDirectory();
  await filled(root, ['a', 'b', 'c', 'd']);
  await Promise.all([1, 2, 3].map(() => evict(root, { ...unbounded, maxBytes: 100 })));
  expect(await keysIn(root)).toEqual(['d']);
});
