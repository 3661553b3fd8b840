import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import type { LogEntry } from '../../src/core/log.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';
import { chainOf } from './chain.ts';
import { largeStart } from './large-start.ts';

const look = defineTool({
  name: 'look',
  description: 'Returns a text.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  execute: ({ n }) => `result ${n}`,
});
const agent = defineAgent({
  name: 'old',
  instructions: 'Remember everything.',
  model: 'none',
  tools: [look],
  limits: { historyEventsMax: 20, maxIterations: 50 },
});
const look5 = (index: number): RawReply => {
  if (index >= 5) return { body: completion({ content: `Answer ${index}.` }) };
  const call = { name: 'look', arguments: JSON.stringify({ n: index }) };
  return {
    body: completion({ tool_calls: [{ id: `c${index}`, type: 'function', function: call }] }, 'tool_calls'),
  };
};

describe('a conversation that lives longer than Temporal keeps the runs it went on from', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], profile: { stream: false } });
  });
  afterAll(() => runtime.stop());

  /** As retention does, when its time is over. */
  async function deleted({ workflowId }: WorkflowHandle, runId: string): Promise<void> {
    const { workflowService, options, workflow } = runtime.client.temporal;
    const { namespace } = options;
    await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } });
    const isGone = () =>
      workflow
        .getHandle(workflowId, runId)
        .describe()
        .then(
          () => false,
          () => true,
        );
    await until(`run ${runId} is gone`, isGone, 100_000);
  }

  test('is read from where its runs begin, and answers as before', async () => {
    const { model } = runtime.playRaw((_, index) => look5(index));
    const run = await runtime.client.start('old', largeStart, {
      taskQueue: runtime.taskQueue,
      model,
      keepOpenMs: 300_000,
    });
    await until('the first turn is over', async () => (await run.state()).phase === 'idle', 60_000);
    const whole = await run.transcript();
    const chain = await chainOf(runtime, run.id);
    await Promise.all(
      chain
        .slice(0, -1)
        .map(async ({ temporal }) => await deleted(temporal, (await temporal.describe()).runId)),
    );

    const [first, ...rest] = await run.transcript();
    const gone = whole.length - rest.length;
    expect(gone).toBeGreaterThan(0);
    expect(first).toEqual({
      role: 'system',
      content: `The first ${gone} messages of this conversation are no longer available.`,
    });
    expect(rest).toEqual(whole.slice(gone));

    expect(await run.ask('And now?', { id: 'mine' })).toMatchObject({ text: 'Answer 6.' });
    await run.cancel();
    const events: LogEntry[] = [];
    for await (const entry of run.events()) events.push(entry);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => events[0]!.seq + i));
    expect(events[0]!.seq).toBeGreaterThan(1);
    expect(events.at(-1)).toMatchObject({ kind: 'turn-ended', turn: 2 });
  });
});
