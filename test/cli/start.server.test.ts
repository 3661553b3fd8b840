import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listens } from '../server/listens.ts';
import { scratchFolder } from '../server/scratch.ts';
import { turnloop } from './turnloop.ts';

const sample = fileURLToPath(new URL('./sample-agents.ts', import.meta.url));
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, remove } = await scratchFolder());
});
afterEach(() => remove());

const start = (args: string[] = [], env: NodeJS.ProcessEnv = {}) =>
  turnloop(['start', '--agents', sample, ...args], { cwd, env });

const addressIn = (out: string) => /up at (\S+:\d+)/.exec(out)![1]!;

test('one command: a server, a worker, progress, the answer, the chart, the link; then everything is gone', async () => {
  const { status, out, err } = await start().ended;
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/Temporal server: up at 127\.0\.0\.1:\d+ after/);
  expect(out).toContain('Model: SCRIPTED');
  expect(out).toContain('Question  What is 2 + 3?');
  expect(out).toMatch(/ 1 thought +I use a tool\. \(\d+\.\d s, .* tokens\)/);
  expect(out).toMatch(/action +add \{"a":2,"b":3\}/);
  expect(out).toMatch(/observation +5, drawn in \/tmp\/sum-5\.svg \(add, \d+\.\d s\)/);
  expect(out).toContain('Answer  It is 5, drawn in /tmp/sum-5.svg.');
  expect(out).toContain('Chart  /tmp/sum-5.svg\n');
  expect(out).toMatch(/Run +http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/adder-\S+\/history/);
  expect(await listens(addressIn(out))).toBe(false);
  expect(await readdir(join(cwd, '.turnloop'))).not.toContain('temporal.db.server.json');
});

test('a server that is configured is used, and not ended', async () => {
  const address = process.env['TURNLOOP_TEST_ADDRESS']!;
  const { status, out } = await start(['What is 2 + 3 now?'], { TEMPORAL_ADDRESS: address }).ended;
  expect(status).toBe(0);
  expect(out).toContain('Question  What is 2 + 3 now?');
  expect(out).toMatch(new RegExp(`Run +adder-\\S+ \\(namespace default at ${address}\\)`));
  expect(await listens(address)).toBe(true);
});

test('--stay keeps server and worker up until Ctrl-C, which ends both with exit code 130', async () => {
  const process = start(['--stay']);
  await process.saying(/stay up/);
  process.kill('SIGINT');
  const { status, out, err } = await process.ended;
  expect({ status, err }).toEqual({ status: 130, err: '' });
  expect(await listens(addressIn(out))).toBe(false);
});

test('Ctrl-C during a run ends worker and server and says that the run is not lost', async () => {
  const process = start(['please wait']);
  await process.saying(/action +wait/);
  process.kill('SIGINT');
  const { status, out } = await process.ended;
  expect(status).toBe(130);
  expect(out).toMatch(/Run adder-\S+ is not lost/);
  expect(await listens(addressIn(out))).toBe(false);
});

test('a module without agents is a clear error, and starts no server', async () => {
  const { status, out, err } = await turnloop(['start', '--agents', 'missing.ts'], { cwd }).ended;
  expect(status).toBe(1);
  expect(err).toMatch(/There is no file .*missing\.ts/);
  expect(out).toBe('');
});

test('no way to a server is exit code 1 and the remedies', async () => {
  const env = { TEMPORAL_CLI_PATH: '/nowhere' };
  const { status, err } = await start([], env).ended;
  expect(status).toBe(1);
  expect(err).toBe(
    'TEMPORAL_CLI_PATH is "/nowhere", which is no executable file. Set it to the Temporal CLI, or unset it.\n',
  );
});

test('turnloop tools lists name, description, annotations and schema, and warns of what is doubtful', async () => {
  const { status, out } = await turnloop(['tools', '--agents', sample], { cwd }).ended;
  expect(status).toBe(0);
  expect(out).toContain('add  [readOnly]\n  Adds two numbers');
  expect(out).toContain('read_result');
  expect(out).toContain('Warning: add: parameter "a" has no description.');
});

test('turnloop tools --json is JSON', async () => {
  const { out } = await turnloop(['tools', '--agents', sample, '--json'], { cwd }).ended;
  const { tools } = JSON.parse(out) as { tools: { name: string }[] };
  expect(tools.map((tool) => tool.name)).toEqual(['add', 'read_result', 'wait']);
});
