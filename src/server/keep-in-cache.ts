import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachedCliFolder, cliFileName } from './cache-folder.ts';

/**
 * Lets `make` produce a Temporal CLI in an empty folder and moves the file it names to its place in the cache. Two
 * processes may do so at the same time: each works in its own folder, and the rename of the last one wins.
 */
export async function keepInCache(
  env: NodeJS.ProcessEnv,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  const place = cachedCliFolder(env);
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(join(dirname(place), 'new-'));
  try {
    const made = await make(folder);
    await mkdir(place, { recursive: true });
    const file = join(place, cliFileName);
    await rename(made, file);
    return file;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
