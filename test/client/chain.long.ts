import { randomUUID } from 'node:crypto';
import type { LogEntry } from '../../src/core/log.ts';
import { AgentClient, type RunHandle } from '../../src/client.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type ChatRequest, type Runtime } from '../e2e/harness.ts';

const agent = defineAgent({ name: 'parrot', instructions: 'You repeat.', model: 'any', tools: [] });
const parrot = (request: unknown) => ({
  content: `You said: ${String((request as ChatRequest).messages.at(-1)?.content)}`,
});
const questions = 8;

async function read(run: RunHandle): Promise<{ log: LogEntry[]; transcript: unknown[] }> {
  const log: LogEntry[] = [];
  for await (const entry of run.events()) log.push(entry);
  return { log, transcript: await run.transcript() };
}

/** The SDK's clock behind a local activity differs by some ms between a run and its replay. */
const withoutTime = (entry: LogEntry): LogEntry => ({ ...entry, at: 0 });

describe('a conversation that goes on as a new run every 20 events', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [parrot] });
  });
  afterAll(() => runtime.stop());

  test('is one to its client, while its worker answers and when it is read from its histories', async () => {
    const taskQueue = `chain-${randomUUID()}`;
    const worker = await runtime.startWorker({ taskQueue });
    const run = await runtime.client.start('parrot', 'Begin.', {
      taskQueue,
      keepOpenMs: 600_000,
      limits: { historyEventsMax: 20 },
    });
    const first = (await run.describe()).runId;
    const followed: LogEntry[] = [];
    const following = (async () => {
      for await (const entry of run.events()) followed.push(entry);
    })();
    for (let i = 1; i <= questions; i++)
      expect(await run.ask(`Question ${i}.`, { id: `q${i}` })).toMatchObject({
        text: `You said: Question ${i}.`,
      });
    expect((await run.describe()).runId).not.toBe(first);
    // Answered in an earlier run of the chain.
    const again = await AgentClient.connect({ address: process.env['TURNLOOP_TEST_ADDRESS']! });
    expect(await again.run(run.id).ask('Question 1.', { id: 'q1' })).toMatchObject({
      text: 'You said: Question 1.',
    });
    await again.close();
    await run.cancel();
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled' });
    await following;

    const live = await read(run);
    expect(followed.map(withoutTime)).toEqual(live.log.map(withoutTime));
    expect(live.log.map(({ seq }) => seq)).toEqual(live.log.map((_, index) => index + 1));
    expect(live.transcript).toHaveLength(1 + 2 * (questions + 1));
    expect(await read(runtime.client.run(run.id))).toEqual(live);

    await worker.stop();
    const folded = runtime.client.run(run.id);
    expect(await read(folded)).toEqual(live);
  });
});
