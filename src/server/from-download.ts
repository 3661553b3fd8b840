import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepInCache } from './keep-in-cache.ts';
import { runWatched } from './run-watched.ts';
import type { LogLine } from './server.ts';

/** A download that has brought nothing for this long is given up. */
const stallMsMax = 30_000;

/**
 * Lets the Temporal SDK download the CLI, into the cache. In a process of its own: the SDK's download can't be stopped,
 * shows no progress, and would fix the SDK's runtime options of this process.
 */
export async function fromDownload(
  env: NodeJS.ProcessEnv,
  log: LogLine,
  signal: AbortSignal | undefined,
): Promise<string> {
  const script = fileURLToPath(new URL(`./download-process${extname(import.meta.url)}`, import.meta.url));
  return keepInCache(env, async (folder) => {
    let bytes = 0;
    let changedAtMs = 0;
    let saidAtMs = 0;
    await runWatched(process.execPath, [script, folder], {
      env,
      signal,
      everyMs: 1_000,
      onTick: async (elapsedMs) => {
        const now = await folderBytes(folder);
        if (now !== bytes) [bytes, changedAtMs] = [now, elapsedMs];
        if (elapsedMs - saidAtMs >= 15_000) {
          saidAtMs = elapsedMs;
          log(
            `Temporal server: still downloading, ${Math.round(elapsedMs / 1000)} s, ${Math.round(bytes / 1e6)} MB`,
          );
        }
        return elapsedMs - changedAtMs > stallMsMax
          ? `nothing arrived for ${stallMsMax / 1000} s`
          : undefined;
      },
    });
    const [file] = (await readdir(folder)).filter((name) => name.startsWith('temporal'));
    if (file === undefined) throw new Error("the SDK's download left no file");
    return join(folder, file);
  });
}

async function folderBytes(folder: string): Promise<number> {
  // A file may be renamed between the listing and the look at it; the next tick sees the new one.
  const sizes = (await readdir(folder)).map((name) =>
    stat(join(folder, name)).then(
      (found) => found.size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
