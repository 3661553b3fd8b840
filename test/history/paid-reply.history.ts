import { LLMock } from '@copilotkit/aimock';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentClient } from '../../src/client.ts';
import { completion, rawEndpoint } from '../../src/testing/raw-endpoint.ts';
import { testServer } from '../setup/test-server.ts';
import { temporaryDirectory } from '../stores/temporary-directory.ts';
import { expectSound } from './sound-history.ts';

const script = fileURLToPath(new URL('./dying-worker.ts', import.meta.url));

test('a reply that has arrived is paid for once, though the worker is killed before its activity completes', async () => {
  const folder = await temporaryDirectory();
  const endpoint = rawEndpoint([
    {
      body: completion(
        { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }] },
        'tool_calls',
      ),
    },
    { body: completion({ content: 'Found it.' }) },
  ]);
  const mock = new LLMock({ port: 0 });
  mock.mount('/raw', endpoint);
  await mock.start();
  const client = await AgentClient.connect({ address: testServer().address });
  const taskQueue = `paid-${randomUUID()}`;
  let worker: ChildProcess | undefined;
  try {
    const run = await client.start('paid', 'Go.', { taskQueue });
    const result = run.result({ waitForWorker: true });
    let over = false;
    const ended = result.then(() => (over = true));
    // A new worker behind each death.
    while (!over) {
      worker = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', script, taskQueue, `${mock.url}/raw`, folder],
        { stdio: ['pipe', 'ignore', 'inherit'] },
      );
      await Promise.race([once(worker, 'exit'), ended]);
    }
    expect(await result).toMatchObject({
      text: 'Found it.',
      stopReason: 'completed',
      usage: { requests: 2, failedRequests: 0 },
    });
    expect(endpoint.requests).toHaveLength(2);
    expect((await readFile(join(folder, 'deaths'), 'utf8')).trim().split('\n')).toHaveLength(2);
    await expectSound(run);
  } finally {
    worker?.kill('SIGKILL');
    await client.close();
    await mock.stop();
  }
});
