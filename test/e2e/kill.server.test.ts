import { LLMock } from '@copilotkit/aimock';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentClient } from '../../src/client.ts';
import type { Message, RunResult } from '../../src/contract.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { completion, type ReceivedRequest } from '../../src/testing/raw-endpoint.ts';
import { strictEndpoint } from '../../src/testing/strict-endpoint.ts';
import { testServer } from '../setup/test-server.ts';
import { until } from './until.ts';

/** From a kill, with a new worker at hand, to the next progress (temporal-facts: about 8.5 s). */
const stallMsMax = 10_000;

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
const mock = new LLMock({ port: 0 });
const children = new Set<ChildProcess>();
let client: AgentClient;
let folder: string;

/**
 * The model is named after the tool it calls, and tells the tool's result; `talk` calls none. The first request to `talk`
 * hangs, so that a worker can be killed in it.
 */
const requests: { model: string; messages: Message[]; at: number }[] = [];
const endpoint = strictEndpoint(({ body }: ReceivedRequest) => {
  const { model, messages } = body as { model: string; messages: Message[] };
  requests.push({ model, messages, at: Date.now() });
  if (model === 'talk') return asked('talk').length === 1 ? { end: 'hang' } : say('Back again.');
  const last = messages.at(-1);
  if (last?.role === 'tool') return say(`It says: ${String(last.content)}`);
  return {
    body: completion(
      { tool_calls: [{ id: 'call-1', type: 'function', function: { name: model, arguments: '{}' } }] },
      'tool_calls',
    ),
  };
});
const say = (content: string) => ({ body: completion({ content }) });
const asked = (model: string) => requests.filter((request) => request.model === model);

const executions = (what: string): { attempt: number; idempotencyKey: string }[] =>
  !existsSync(join(folder, 'executions'))
    ? []
    : readFileSync(join(folder, 'executions'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { what: string; attempt: number; idempotencyKey: string })
        .filter((execution) => execution.what === what);

const openGate = (tool: string) => writeFile(join(folder, tool), '');

async function startWorker(taskQueue: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, taskQueue, `${mock.url}/raw`, folder],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  children.add(child);
  child.once('exit', () => children.delete(child));
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the worker process ended with ${String(code)} before it was ready`);
    }),
  ]);
  return child;
}

async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  return (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
}

const start = (model: string, taskQueue: string) => client.start('worker', 'Do it.', { model, taskQueue });

/** A run whose tool kills its worker, with a new worker behind each death. */
async function survived(model: string): Promise<RunResult> {
  const taskQueue = `${model}-${randomUUID()}`;
  const run = await start(model, taskQueue);
  let result: RunResult | undefined;
  const over = run.result({ waitForWorker: true }).then((value) => (result = value));
  while (result === undefined) {
    const worker = await startWorker(taskQueue);
    await Promise.race([ended(worker), over]);
    if (result !== undefined) worker.kill('SIGTERM');
  }
  return result;
}
/** Go on beside the other tests, since they are mostly waiting: each death is noticed by a heartbeat time-out of 5 s. */
let crashing: Promise<RunResult>;
let transferring: Promise<RunResult>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnloop-kill-'));
  mock.mount('/raw', endpoint);
  await mock.start();
  client = await AgentClient.connect({ address: testServer().address });
  crashing = survived('crash');
  transferring = survived('transfer');
});
afterAll(async () => {
  await Promise.all(
    [...children].map(async (child) => {
      child.kill('SIGKILL');
      await ended(child);
    }),
  );
  await client.close();
  await mock.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a worker that is killed in the middle of a model call and of tool calls', () => {
  const models = ['talk', 'look', 'pay', 'order', 'mail'];
  const taskQueue = `kill-${randomUUID()}`;
  const runs = new Map<string, RunHandle>();
  let worker: ChildProcess;
  /** When the new worker was ready, in ms since the epoch. */
  let readyAt: number;

  beforeAll(async () => {
    worker = await startWorker(taskQueue);
    for (const model of models) runs.set(model, await start(model, taskQueue));
    await until(
      'model call and tools are under way',
      () => asked('talk').length === 1 && models.slice(1).every((tool) => executions(tool).length === 1),
    );
    worker.kill('SIGKILL');
    await ended(worker);
    await Promise.all(models.slice(1).map(openGate));
    worker = await startWorker(taskQueue);
    readyAt = Date.now();
  });

  const completed = async (model: string) => {
    const run = runs.get(model)!;
    const result = await run.result();
    expect(result).toMatchObject({ stopReason: 'completed', turns: 1 });
    return { result, transcript: await run.transcript() };
  };
  /** The next request a run makes behind the kill is the progress that can be seen from outside. */
  const expectShortStall = (model: string) => expect(asked(model)[1]!.at - readyAt).toBeLessThan(stallMsMax);

  test('asks the model again, with the same messages, and counts the lost request', async () => {
    const { result } = await completed('talk');
    expect(result).toMatchObject({ text: 'Back again.', iterations: 1 });
    expect(asked('talk')).toHaveLength(2);
    expect(asked('talk')[1]?.messages).toEqual(asked('talk')[0]?.messages);
    expect(result.usage).toMatchObject({ requests: 1, failedRequests: 1 });
    expectShortStall('talk');
  });

  test('runs a read-only tool again, under the same idempotency key', async () => {
    const { result } = await completed('look');
    expect(result.text).toBe('It says: look done');
    const [first, second, ...more] = executions('look');
    expect(more).toEqual([]);
    expect(second).toEqual({ ...first, attempt: 2 });
    expect(asked('look')).toHaveLength(2);
    expectShortStall('look');
  });

  test('does not run a tool twice that may not be repeated: its outcome is unknown and the model reads so', async () => {
    const { result, transcript } = await completed('pay');
    expect(executions('pay')).toHaveLength(1);
    const text = transcript.find(({ role }) => role === 'tool')?.content;
    expect(text).toMatch(/outcome of pay is unknown.*may or may not have happened.*Check before repeating/);
    expect(result.text).toBe(`It says: ${String(text)}`);
    const settled = [];
    for await (const event of runs.get('pay')!.events())
      if (event.kind === 'call-settled') settled.push(event);
    expect(settled).toEqual([
      expect.objectContaining({ outcome: expect.objectContaining({ status: 'unknown' }) }),
    ]);
    expectShortStall('pay');
  });

  test('takes the result that verify found, and does not run the tool again', async () => {
    const { result } = await completed('order');
    expect(result.text).toBe('It says: order found, number 7');
    expect(executions('order')).toHaveLength(1);
    expect(executions('verify order')).toHaveLength(1);
    expectShortStall('order');
  });

  test('runs the tool again when verify says that it did not happen', async () => {
    const { result } = await completed('mail');
    expect(result.text).toBe('It says: mail done');
    expect(executions('mail')).toHaveLength(2);
    expect(executions('verify mail')).toHaveLength(1);
    expectShortStall('mail');
  });

  test('the next one, told to end, lets its tool end, and another one goes on with the result', async () => {
    const run = await start('upload', taskQueue);
    await until('the tool runs', () => executions('upload').length === 1);
    worker.kill('SIGTERM');
    await startWorker(taskQueue);
    await openGate('upload');
    expect(await ended(worker)).toEqual([0, null]);
    expect(await run.result()).toMatchObject({ text: 'It says: upload done', stopReason: 'completed' });
    expect(executions('upload')).toHaveLength(1);
  });
});

test('a tool that failed once and then dies before its first heartbeat is not run a third time', async () => {
  const result = await transferring;
  expect(result.text).toMatch(/outcome of transfer is unknown: its worker died while it ran/);
  expect(executions('transfer').map(({ attempt }) => attempt)).toEqual([1, 2]);
});

test('a tool that kills its worker each time is given up after a bounded number of deaths', async () => {
  const result = await crashing;
  expect(result.stopReason).toBe('completed');
  expect(result.text).toMatch(/outcome of crash is unknown: its worker died 4 times/);
  expect(executions('crash')).toHaveLength(4);
});
