import { LLMock } from '@copilotkit/aimock';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentClient } from '../../src/client.ts';
import type { Message } from '../../src/contract.ts';
import { completion, rawEndpoint } from '../../src/testing/raw-endpoint.ts';
import { testServer } from '../setup/test-server.ts';
import { temporaryDirectory } from '../stores/temporary-directory.ts';
import { expectSound } from './sound-history.ts';

const script = fileURLToPath(new URL('./dying-worker.ts', import.meta.url));

/** Plays a run whose worker dies behind each reply that it has kept. */
async function played(replies: object[]) {
  const folder = await temporaryDirectory();
  const endpoint = rawEndpoint(replies.map((body) => ({ body })));
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
      usage: { requests: replies.length, failedRequests: 0 },
    });
    expect(endpoint.requests).toHaveLength(replies.length);
    const deaths = (await readFile(join(folder, 'deaths'), 'utf8')).trim().split('\n');
    expect(deaths).toHaveLength(replies.length);
    await expectSound(run);
    return {
      transcript: await run.transcript(),
      last: endpoint.requests.at(-1)?.body as { messages: Message[] },
    };
  } finally {
    worker?.kill('SIGKILL');
    await client.close();
    await mock.stop();
  }
}

const calls = (name: string, args: object) =>
  completion(
    { tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
    'tool_calls',
  );

test('a reply that has arrived is paid for once, though the worker is killed before its activity completes', async () => {
  await played([calls('look', {}), completion({ content: 'Found it.' })]);
});

test('so is one whose arguments are too large for the history: tool and model have them whole', async () => {
  const text = 'word '.repeat(150_000);
  const { transcript, last } = await played([
    calls('measure', { text }),
    completion({ content: 'Found it.' }),
  ]);
  expect(transcript.at(-2)).toMatchObject({ role: 'tool', content: `${text.length} characters` });
  expect(transcript.at(-3)).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] });
  expect(last.messages.at(-2)).toMatchObject({
    tool_calls: [{ function: { arguments: JSON.stringify({ text }) } }],
  });
});
