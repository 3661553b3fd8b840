import { askVersion, cliVersion } from './cli-version.ts';
import { fromCache } from './from-cache.ts';
import { fromDownload } from './from-download.ts';
import { fromGoInstall } from './from-go-install.ts';
import { fromPath } from './from-path.ts';
import { reason } from './reason.ts';
import { ServerError } from './server-error.ts';
import type { LogLine } from './server.ts';

interface Way {
  trying: string;
  missing: string;
  find(env: NodeJS.ProcessEnv, log: LogLine, signal: AbortSignal | undefined): Promise<string | undefined>;
}

/** Cheapest first. Each yields a file, or undefined where it has none, or throws the reason why it failed. */
const ways: Way[] = [
  { trying: 'looking for `temporal` on PATH', missing: '`temporal` is not on PATH', find: fromPath },
  { trying: "looking in turnloop's cache", missing: 'none in the cache', find: fromCache },
  {
    trying: "downloading the CLI with Temporal's SDK (about 100 MB, once)",
    missing: 'the download left nothing',
    find: fromDownload,
  },
  {
    trying: `building the CLI ${cliVersion} with \`go install\` (about 2 minutes, once)`,
    missing: 'the build left nothing',
    find: fromGoInstall,
  },
];

/**
 * A Temporal CLI that runs on this machine: on PATH, in the cache, downloaded or built. Says what it tries, in one line
 * a step. Throws a `ServerError` that lists the remedies when no way leads to one.
 */
export async function findExecutable(
  env: NodeJS.ProcessEnv,
  log: LogLine,
  signal?: AbortSignal,
): Promise<string> {
  const failures: string[] = [];
  for (const way of ways) {
    const before = failures.at(-1);
    log(`Temporal server: ${before === undefined ? '' : `${before}; `}${way.trying}`);
    const started = performance.now();
    try {
      const file = await way.find(env, log, signal);
      if (file !== undefined) {
        log(`Temporal server: found ${file}, ${await askVersion(file)} (${seconds(started)})`);
        return file;
      }
      failures.push(way.missing);
    } catch (thrown) {
      // An abort is the user's word; a ServerError means that a setting is wrong. Neither is cured by another way.
      if (signal?.aborted || (thrown as Error)?.name === 'ServerError') throw thrown;
      failures.push(`${reason(thrown)} (${seconds(started)})`);
    }
  }
  throw new ServerError(noWayLeft(failures));
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

function noWayLeft(failures: string[]): string {
  const tried = ways.map((way, at) => `  - ${way.trying}: ${failures[at]}`);
  return [
    'No Temporal server, and no way to get one. Tried:',
    ...tried,
    'Any one of these helps:',
    '  - install the Temporal CLI (https://docs.temporal.io/cli), so that `temporal` is on PATH',
    '  - set TEMPORAL_CLI_PATH to a Temporal CLI',
    '  - set TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE, TEMPORAL_API_KEY …) to a server that runs',
    '  - allow downloads from temporal.download, or install Go 1.24 or newer and allow its module proxy',
  ].join('\n');
}
