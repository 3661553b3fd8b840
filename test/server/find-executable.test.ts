import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findExecutable } from '../../src/server/find-executable.ts';
import { isAlive } from '../../src/server/process-command.ts';
import { until } from '../../src/server/until.ts';
import { program, scratchFolder } from './scratch.ts';

/** A Temporal CLI as far as finding one goes. */
const cli = (version: string) => [`echo "temporal version ${version}"`];

let folder: string;
let remove: () => Promise<void>;
let lines: string[];
let bin: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  ({ path: folder, remove } = await scratchFolder());
  lines = [];
  bin = join(folder, 'bin');
  env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    TURNLOOP_CACHE_DIR: join(folder, 'cache'),
    // Nothing listens there, so that a download fails at once on every machine.
    HTTPS_PROXY: 'http://127.0.0.1:9',
  };
});
afterEach(() => remove());

const log = (line: string) => void lines.push(line);
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it was expected to fail');
    },
    (thrown: Error) => thrown,
  );

test('`temporal` on PATH is used', async () => {
  const file = await program(bin, 'temporal', cli('9.9.9'));
  expect(await findExecutable(env, log)).toBe(file);
  expect(lines.at(-1)).toMatch(/found .*temporal, 9\.9\.9 \(\d+\.\d s\)$/);
});

test('TEMPORAL_CLI_PATH goes before PATH', async () => {
  await program(bin, 'temporal', cli('1'));
  const named = await program(folder, 'my-temporal', cli('2'));
  expect(await findExecutable({ ...env, TEMPORAL_CLI_PATH: named }, log)).toBe(named);
});

test('a TEMPORAL_CLI_PATH that leads nowhere is an error, not a reason to take another CLI', async () => {
  await program(bin, 'temporal', cli('1'));
  const error = await caught(findExecutable({ ...env, TEMPORAL_CLI_PATH: '/nowhere/temporal' }, log));
  expect(error.name).toBe('ServerError');
  expect(error.message).toContain('TEMPORAL_CLI_PATH is "/nowhere/temporal"');
});

test('without any, the CLI is built once by `go install` and then found in the cache', async () => {
  await program(bin, 'go', [
    'echo "$@" >> "$HOME/asked"',
    `printf '#!/bin/sh\\necho "temporal version built"\\n' > "$GOBIN/temporal"`,
    'chmod +x "$GOBIN/temporal"',
  ]);
  const built = await findExecutable(env, log);
  expect(built.startsWith(join(folder, 'cache'))).toBe(true);
  expect(await findExecutable(env, log)).toBe(built);
  expect(await readFile(join(folder, 'asked'), 'utf8')).toBe(
    'install -v github.com/temporalio/cli/cmd/temporal@v1.5.1\n',
  );
});

test('each step says in one line why the one before failed', async () => {
  await program(bin, 'go', ['echo "go: no network" >&2', 'exit 3']);
  const error = await caught(findExecutable(env, log));
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain('`temporal` is not on PATH; looking in');
  expect(lines[2]).toContain('none in the cache; downloading');
  expect(lines[3]).toMatch(/download.*\(\d+\.\d s\); building/);
  expect(error.message).toContain('go ended with exit code 3: go: no network');
});

test('when no way leads to a CLI, the error lists what was tried and the remedies', async () => {
  const error = await caught(findExecutable({ ...env, PATH: bin }, log));
  expect(error.name).toBe('ServerError');
  expect(error.message).toContain('go is not on PATH');
  for (const remedy of ['TEMPORAL_ADDRESS', 'TEMPORAL_CLI_PATH', 'docs.temporal.io/cli', 'install Go']) {
    expect(error.message).toContain(remedy);
  }
});

test('two builds at the same time do not clash, and leave nothing but the CLI', async () => {
  await program(bin, 'go', [
    `printf '#!/bin/sh\\necho "temporal version built"\\n' > "$GOBIN/temporal"`,
    'chmod +x "$GOBIN/temporal"',
  ]);
  const [one, two] = await Promise.all([findExecutable(env, log), findExecutable(env, log)]);
  expect(one).toBe(two);
  expect(await readdir(join(folder, 'cache', 'temporal-cli'))).toEqual(['v1.5.1']);
});

test('a build that is stopped ends the process of `go` and is followed by no other way', async () => {
  await program(bin, 'go', ['echo $$ > "$HOME/pid.new" && mv "$HOME/pid.new" "$HOME/pid"', 'exec sleep 600']);
  const stop = new AbortController();
  const failed = caught(findExecutable(env, log, stop.signal));
  const pidFile = join(folder, 'pid');
  await until(() => (existsSync(pidFile) ? true : undefined), { timeoutMs: 30_000 });
  const pid = Number(await readFile(pidFile, 'utf8'));
  stop.abort();
  expect((await failed).message).toContain('stopped');
  expect(isAlive(pid)).toBe(false);
});
