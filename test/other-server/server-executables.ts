import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, isExecutable } from '../../src/server/cache-folder.ts';
import { runWatched } from '../../src/server/run-watched.ts';

/** The release that treats oversized values in the opposite way to the embedded server's. */
export const serverVersion = 'v1.31.0';

const modules = ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'];

/** Temporal's server and its schema tool, from turnloop's cache; built with `go install` at the first time. */
export async function serverExecutables(
  log: (line: string) => void,
): Promise<{ server: string; sql: string }> {
  const folder = join(cacheFolder(process.env), 'temporal-server', serverVersion);
  const made = { server: join(folder, 'server'), sql: join(folder, 'sql') };
  if ((await isExecutable(made.server)) && (await isExecutable(made.sql))) return made;
  log(`Temporal server ${serverVersion}: building it with \`go install\` (about 3 minutes, once)`);
  await mkdir(folder, { recursive: true });
  const building = await mkdtemp(join(folder, 'new-'));
  try {
    const versioned = modules.map((module) => `${module}@${serverVersion}`);
    await runWatched('nice', ['-n', '10', 'go', 'install', '-v', ...versioned], {
      env: { ...process.env, GOBIN: building, GOFLAGS: '', GOOS: '', GOARCH: '' },
      everyMs: 30_000,
      onTick: (elapsedMs, lines) => {
        log(
          `Temporal server ${serverVersion}: ${Math.round(elapsedMs / 1000)} s, ${lines} modules and packages done`,
        );
        return undefined;
      },
    });
    await rename(join(building, 'server'), made.server);
    await rename(join(building, 'sql'), made.sql);
    return made;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}
