import { join } from 'node:path';
import { cliFileName } from './cache-folder.ts';
import { cliVersion } from './cli-version.ts';
import { keepInCache } from './keep-in-cache.ts';
import { runWatched } from './run-watched.ts';
import type { LogLine } from './server.ts';

const module = `github.com/temporalio/cli/cmd/temporal@${cliVersion}`;

/** Builds the Temporal CLI from its sources with the machine's Go, into the cache. About two minutes on two cores. */
export async function fromGoInstall(
  env: NodeJS.ProcessEnv,
  log: LogLine,
  signal: AbortSignal | undefined,
): Promise<string> {
  return keepInCache(env, async (folder) => {
    await runWatched('go', ['install', '-v', module], {
      // GOFLAGS of a project (-mod=vendor, say) would be wrong here; a cross build would not run.
      env: { ...env, GOBIN: folder, GOFLAGS: '', GOOS: '', GOARCH: '' },
      signal,
      everyMs: 15_000,
      // `-v` prints one line a downloaded module and a built package: the count shows that it is alive.
      onTick: (elapsedMs, lines) => {
        log(
          `Temporal server: still building, ${Math.round(elapsedMs / 1000)} s, ${lines} modules and packages done`,
        );
        return undefined;
      },
    });
    return join(folder, cliFileName);
  });
}
