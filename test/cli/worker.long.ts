import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from '../server/scratch.ts';
import { testServer } from '../setup/test-server.ts';
import { turnloop } from './turnloop.ts';

const code = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const env = { TEMPORAL_ADDRESS: testServer().address };
const taskQueue = `cli-${randomUUID()}`;

let cwd: string;
let remove: () => Promise<void>;
let worker: ReturnType<typeof turnloop>;

const call = (...args: string[]) => turnloop(args, { cwd, env }).ended;
/** Starts a run on the test's own task queue. */
const run = (...args: string[]) => call('run', 'adder', ...args, '--task-queue', taskQueue);
const id = () => `cli-${randomUUID()}`;
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

beforeAll(async () => {
  ({ path: cwd, remove } = await scratchFolder());
  worker = turnloop(['worker', code('sample-models.ts'), '--task-queue', taskQueue], { cwd, env });
  await worker.saying(/Worker ready: adder on task queue cli-/);
});
afterAll(async () => {
  worker.kill('SIGKILL');
  await worker.ended;
  await remove();
});

test('a run is started, followed and answered', async () => {
  const { status, out, err } = await run('What is 2 + 3?', '--id', id());
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/action +add \{"a":2,"b":3\}/);
  expect(out).toContain('Answer  It is 5, drawn in /tmp/sum-5.svg.');
});

test('with --json a run is one line: its answer', async () => {
  const { status, out } = await run('What is 2 + 3?', '--json');
  expect(status).toBe(0);
  expect(json(out)).toMatchObject({
    id: expect.stringMatching(/^adder-/) as string,
    text: 'It is 5, drawn in /tmp/sum-5.svg.',
    stopReason: 'completed',
    turns: 1,
  });
});

test('the conversation of a run that stays open is led by ask and send, and ended by cancel', async () => {
  const own = id();
  const first = await run('What is 2 + 3?', '--id', own, '--keep-open', '10m');
  expect(first.out).toContain(`The run stays open: turnloop ask ${own}`);

  const asked = await call('ask', own, 'And again?', '--message-id', 'm1', '--json');
  expect(json(asked.out)).toMatchObject({ id: own, stopReason: 'completed' });
  expect(json((await call('send', own, 'Thanks', '--message-id', 'm2', '--json')).out)).toEqual({
    id: own,
    messageId: 'm2',
  });
  const progress = await call('ask', own, 'And now?');
  expect(progress.out).toMatch(/action +add[\s\S]*Answer  It is 5/);

  expect((await call('cancel', own)).out).toBe(`${own} ended: cancelled\n`);
  const watched = await call('watch', own, '--json');
  const events = watched.out.trim().split('\n').map(json);
  expect(events.map((event) => event['seq'])).toEqual(events.map((_, at) => at + 1));
  expect(events.filter((event) => event['kind'] === 'turn-ended').length).toBeGreaterThanOrEqual(3);
  expect(watched.status).toBe(1); // cancelled is no complete answer

  const last = String(events.at(-1)!['seq']);
  expect(await call('watch', own, '--json', '--from', last)).toEqual({ status: 1, out: '', err: '' });
}, 120_000); // eight processes, one after the other

test('state and transcript are shown as text and as JSON, and ls finds the run', async () => {
  const own = id();
  await run('What is 2 + 3?', '--id', own, '--title', 'A sum');
  expect((await call('state', own)).out).toMatch(
    /^run +cli-\S+\nagent +adder\nphase +between turns\nturn +1, iteration 2\n/,
  );
  expect(json((await call('state', own, '--json')).out)).toMatchObject({ id: own, phase: 'idle', turn: 1 });

  const { out } = await call('transcript', own);
  expect(out).toContain('user\nWhat is 2 + 3?\n\nassistant\nI use a tool.\n→ add {"a":2,"b":3}');
  const roles = (await call('transcript', own, '--json')).out
    .trim()
    .split('\n')
    .map((line) => json(line)['role']);
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);

  const listed = async (...args: string[]) =>
    (await call('ls', '--json', '--limit', '1000', ...args)).out.split('\n').filter(Boolean).map(json);
  // Temporal lists what has ended a moment later.
  let found: Record<string, unknown> | undefined;
  while (found?.['status'] !== 'completed')
    found = (await listed('--agent', 'adder')).find((each) => each['id'] === own);
  expect(found).toMatchObject({ agent: 'adder', title: 'A sum', status: 'completed' });
  expect((await listed('--status', 'running')).map((each) => each['id'])).not.toContain(own);
  expect(await listed('--agent', 'nobody-of-these-tests')).toEqual([]);
});

test('a message comes from standard input with -', async () => {
  const process = turnloop(['run', 'adder', '-', '--task-queue', taskQueue, '--quiet'], {
    cwd,
    env,
    input: 'What is\n2 + 3?\n',
  });
  expect(await process.ended).toEqual({
    status: 0,
    out: '\nAnswer  It is 5, drawn in /tmp/sum-5.svg.\n\n',
    err: '',
  });
});

test('--detach prints the id and goes; send --agent starts what is not under way', async () => {
  const own = id();
  expect(await run('What is 2 + 3?', '--id', own, '--detach')).toEqual({
    status: 0,
    out: `${own}\n`,
    err: '',
  });
  expect((await call('watch', own)).status).toBe(0);
});

test('Ctrl-C ends the watching, not the run', async () => {
  const own = id();
  const watching = turnloop(['run', 'adder', 'please wait', '--id', own, '--task-queue', taskQueue], {
    cwd,
    env,
  });
  await watching.saying(/action +wait/);
  watching.kill('SIGINT');
  const { status, out, err } = await watching.ended;
  expect({ status, err }).toEqual({ status: 130, err: '' });
  expect(out).toContain(`The run goes on: turnloop watch ${own}`);
  expect(json((await call('state', own, '--json')).out)).toMatchObject({ phase: 'running' });
  expect((await call('cancel', own)).status).toBe(0);
});

test.each([
  [['state', 'unknown'], 1, 'no run has id "unknown"'],
  [['ask', 'unknown', 'Hello?'], 1, 'no run has id "unknown"'],
  [['run', 'adder', 'x', '--task-queue', 'nobody-polls'], 1, 'no worker polls task queue "nobody-polls"'],
])('%j ends with exit code %d and says why', async (args, status, why) => {
  const ended = await call(...args);
  expect({ status: ended.status, err: ended.err }).toEqual({ status, err: expect.stringContaining(why) });
});

test('a worker that is told to stop ends with exit code 0, and with --json says in one line that it was ready', async () => {
  const own = turnloop(['worker', code('sample-models.ts'), '--task-queue', `${taskQueue}-2`, '--json'], {
    cwd,
    env,
  });
  await own.saying(/"ready":true/);
  own.kill('SIGTERM');
  const { status, out } = await own.ended;
  expect(status).toBe(0);
  expect(json(out)).toEqual({
    ready: true,
    address: env.TEMPORAL_ADDRESS,
    namespace: 'default',
    taskQueue: `${taskQueue}-2`,
    agents: ['adder'],
  });
});

test.each([
  ['nothing.ts', 'export const other = 1;', 'exports no `agents`. Export a list'],
  [
    'enum.ts',
    'enum Colour { Red }\nexport const agents = [Colour];',
    'no enum, namespace or parameter property',
  ],
  ['import.ts', "import './missing.ts';", 'Relative imports end in the extension of the file'],
  [
    'agent.ts',
    `import { defineAgent } from '${code('../../src/index.ts')}';
export const agents = [defineAgent({ name: 'a', instructions: 'x', modle: 'm', tools: [] })];`,
    'unknown field "modle". Known: name, instructions, model',
  ],
])('a worker finds at its start what is wrong in %s, exit code 1', async (name, source, why) => {
  await writeFile(join(cwd, name), source);
  const { status, out, err } = await call('worker', name);
  expect({ status, out, err }).toEqual({ status: 1, out: '', err: expect.stringContaining(why) });
});

test('a worker without a model, and one without a server, say what to set, exit code 1', async () => {
  const noModel = await call('worker', code('sample-agents.ts'));
  expect({ status: noModel.status, err: noModel.err }).toEqual({
    status: 1,
    err: expect.stringContaining('No model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL'),
  });
  const args = ['worker', code('sample-models.ts')];
  const noServer = await turnloop(args, { cwd, env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } }).ended;
  expect({ status: noServer.status, err: noServer.err }).toEqual({
    status: 1,
    err: expect.stringContaining('No Temporal server answers at 127.0.0.1:1'),
  });
});
