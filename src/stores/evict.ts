import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import cacache, { type CacheEntry } from 'cacache';

export interface StoreBounds {
  /** Of all values together; a value under two keys counts once. */
  maxBytes: number;
  /** Of a value, since it was last written. */
  maxAgeMs: number;
}

/** A file that no entry names yet may belong to a write in progress, in this process or another one. */
const graceMs = 60_000;

/**
 * Brings a cacache directory within its bounds: values go from the least recently written one on, then what crashed or
 * overwriting writers left behind. Values stay readable meanwhile; one that is written again in the very moment it goes
 * may be lost, which a cache can afford.
 */
export async function evict(root: string, bounds: StoreBounds, now = Date.now()): Promise<void> {
  const entries: CacheEntry[] = [];
  for await (const entry of cacache.ls.stream(root)) entries.push(entry);
  entries.sort((a, b) => b.time - a.time);
  const kept = new Set<string>();
  let bytes = 0;
  const firstOut = entries.findIndex((entry) => {
    if (!kept.has(entry.path)) bytes += entry.size;
    if (bytes > bounds.maxBytes || now - entry.time > bounds.maxAgeMs) return true;
    kept.add(entry.path);
    return false;
  });
  for (const entry of firstOut === -1 ? [] : entries.slice(firstOut)) {
    await cacache.rm.entry(root, entry.key, { removeFully: true });
    if (!kept.has(entry.path)) await rm(entry.path, { force: true });
  }
  await removeLeftovers(root, kept, now - graceMs);
}

/** Content that no entry names, and temporary files of writers that died. */
async function removeLeftovers(root: string, kept: Set<string>, writtenBefore: number): Promise<void> {
  const folders = (await ifThere(readdir(root))) ?? [];
  for (const folder of folders.filter((name) => name.startsWith('content-') || name === 'tmp')) {
    const found = await ifThere(readdir(join(root, folder), { recursive: true, withFileTypes: true }));
    for (const file of (found ?? []).filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name);
      if (kept.has(path)) continue;
      const written = await ifThere(stat(path));
      if (written !== undefined && written.mtimeMs < writtenBefore) await rm(path, { force: true });
    }
  }
}

/** Undefined when it is gone: another process may be evicting from the same directory. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}
