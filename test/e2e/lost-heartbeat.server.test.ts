import { LLMock } from '@copilotkit/aimock';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietRuntime } from '../../src/cli/quiet-runtime.ts';
import { AgentClient } from '../../src/client.ts';
import type { Message } from '../../src/contract.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { strictEndpoint } from '../../src/testing/strict-endpoint.ts';
import { expectSound } from '../history/sound-history.ts';
import { testServer } from '../setup/test-server.ts';
import { until } from './until.ts';

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
const mock = new LLMock({ port: 0 });
const workers: ChildProcess[] = [];
let client: AgentClient;
let folder: string;

beforeAll(async () => {
  quietRuntime();
  folder = await mkdtemp(join(tmpdir(), 'turnloop-heartbeat-'));
  await mock.start();
  client = await AgentClient.connect({ address: testServer().address });
});
afterAll(async () => {
  for (const worker of workers) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  await client.close();
  await mock.stop();
  await rm(folder, { recursive: true, force: true });
});

const store = (): string => join(folder, 'store');

async function startWorker(taskQueue: string): Promise<ChildProcess> {
  const args = [script, taskQueue, `${mock.url}/raw`, folder, store()];
  const worker = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  workers.push(worker);
  await once(worker.stdout, 'data');
  return worker;
}

async function stored(text: string): Promise<boolean> {
  const files = await readdir(store(), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    if (!file.isFile()) continue;
    const content = await readFile(join(file.parentPath, file.name), 'utf8').catch(() => '');
    if (content.includes(text)) return true;
  }
  return false;
}

const looks = (content: string, id: string): RawReply => ({
  body: completion(
    { content, tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }] },
    'tool_calls',
  ),
});

test('a model call that two workers make at once has one reply, and it is the one that the run goes on with', async () => {
  const gates = [0, 1].map(() => Promise.withResolvers<void>());
  const endpoint = strictEndpoint(async (_, index) => {
    await gates[index]?.promise;
    return (
      [looks('First.', 'from-first'), looks('Second.', 'from-second')][index] ?? {
        body: completion({ content: 'Done.' }),
      }
    );
  });
  mock.mount('/raw', endpoint);
  const taskQueue = `heartbeat-${randomUUID()}`;
  const slow = await startWorker(taskQueue);
  const run = await client.start('worker', 'Do it.', { taskQueue });
  await endpoint.received(1);

  // It stands still for longer than its heartbeats may stay away, and then goes on as if nothing had been.
  slow.kill('SIGSTOP');
  const other = await startWorker(taskQueue);
  await endpoint.received(2);
  gates[0]!.resolve();
  slow.kill('SIGCONT');
  await until('the first reply is kept', () => stored('First.'));
  gates[1]!.resolve();
  await until('the reply of the other one has come', async () => (await run.state()).calls?.length === 1);

  // The slow one, which holds the context of its own reply, makes the next request.
  other.kill('SIGTERM');
  await writeFile(join(folder, 'look'), '');
  await once(other, 'exit');
  expect(await run.result()).toMatchObject({
    text: 'Done.',
    usage: { requests: 2, failedRequests: 1 },
  });
  const { messages } = endpoint.requests[2]!.body as { messages: Message[] };
  expect(messages.slice(-2)).toMatchObject([
    { role: 'assistant', content: 'Second.', tool_calls: [{ id: 'from-second' }] },
    { role: 'tool', tool_call_id: 'from-second', content: 'look done' },
  ]);
  expect((await run.transcript()).map(({ content }) => content)).toEqual([
    ...['You work.', 'Do it.'],
    ...['Second.', 'look done', 'Done.'],
  ]);
  await expectSound(run);
});
