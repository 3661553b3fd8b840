import { z } from 'zod';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { completion } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { logged, startRuntime, type Runtime } from '../e2e/harness.ts';
import { activitiesOf, eventsOf } from '../e2e/history.ts';
import { expectSound } from './sound-history.ts';

/** On a queue of its own, which another worker polls: no result is in the store of the worker that asks the model. */
const elsewhere = 'elsewhere';
const look = (taskQueue: string) =>
  defineTool({
    name: 'look',
    description: 'Returns a text.',
    parameters: z.object({ n: z.number() }),
    readOnly: true,
    taskQueue,
    execute: ({ n }) => `result ${n} `.repeat(50),
  });
const agentWith = (taskQueue: string) =>
  defineAgent({ name: 'apart', instructions: 'Look.', model: 'none', tools: [look(taskQueue)] });

describe('two workers with a store each', () => {
  const rounds = 20;
  const taskQueue = `${elsewhere}-${process.pid}`;
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agentWith(taskQueue)], profile: { stream: false } });
    await runtime.startWorker({ taskQueue, store: memoryStore() });
  });
  afterAll(() => runtime.stop());

  async function converse() {
    const { model, endpoint } = runtime.playRaw((_, index) => {
      if (index === rounds) return { body: completion({ content: 'Done.' }) };
      const call = { name: 'look', arguments: JSON.stringify({ n: index }) };
      return {
        body: completion(
          { tool_calls: [{ id: `c${index}`, type: 'function', function: call }] },
          'tool_calls',
        ),
      };
    });
    const run = await runtime.client.start('apart', 'Go.', {
      taskQueue: runtime.taskQueue,
      model,
      limits: { maxIterations: 100 },
    });
    expect(await run.result()).toMatchObject({ text: 'Done.', stopReason: 'completed' });
    const { messages } = endpoint.requests.at(-1)!.body as { messages: unknown[] };
    expect(messages).toHaveLength(2 + 2 * rounds);
    return run;
  }

  test('leave a history that grows linearly: what one lacks is asked of the run, which leaves nothing there', async () => {
    const run = await converse();
    const activities = activitiesOf(await eventsOf(run));
    expect(activities.map(({ failure }) => failure)).not.toContain('ContextMissing');
    const calls = activities.filter(({ type }) => type === 'turnloop.callModel');
    const bytes = calls.slice(1).map((call) => call.bytes);
    expect(bytes).toHaveLength(rounds);
    expect(Math.max(...bytes) / bytes[0]!).toBeLessThan(1.2);
    await expectSound(run);
  });

  test('are told once a run to share a store, and which option is meant', async () => {
    logged.length = 0;
    const run = await converse();
    const warnings = logged.filter(
      ({ message, meta }) => message.includes('store') && meta?.['workflowId'] === run.id,
    );
    expect(warnings.map(({ level, message }) => [level, message])).toEqual([
      ['WARN', expect.stringMatching(/need a store that they share, give the option `store` to all of them/)],
    ]);
  });
});
