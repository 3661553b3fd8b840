import { z } from 'zod';
import type { LogEntry } from '../../src/core/log.ts';
import { partsOf } from '../../src/core/parts.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';

/** Text that no compression shortens much, made quickly. */
const text = (length: number, seed = 7): string =>
  Array.from({ length: Math.ceil(length / 1_000) }, (_, i) =>
    `${seed}-${i}-`.padEnd(1_000, `${seed * 31 + i}abc`),
  )
    .join('')
    .slice(0, length);

const big = defineTool({
  name: 'big',
  description: 'Returns a text of five million characters.',
  parameters: z.object({}),
  readOnly: true,
  execute: () => text(5_000_000),
});
const lengthOf = defineTool({
  name: 'length_of',
  description: 'Returns the length of a text.',
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: ({ text: given }) => String(given.length),
});
const agent = defineAgent({ name: 'sizes', instructions: 'Test.', model: 'gpt-4o', tools: [big, lengthOf] });

/** No task failed, nothing was tried again, no payload is over 1 MB. */
async function expectSound(runtime: Runtime, id: string): Promise<void> {
  const history = await runtime.client.temporal.workflow.getHandle(id).fetchHistory();
  for (const event of history.events ?? []) {
    expect(event.workflowTaskFailedEventAttributes).toBeFalsy();
    expect(event.activityTaskStartedEventAttributes?.attempt ?? 1).toBe(1);
    const sizes = [
      event.activityTaskScheduledEventAttributes?.input?.payloads,
      event.activityTaskCompletedEventAttributes?.result?.payloads,
      event.workflowExecutionCompletedEventAttributes?.result?.payloads,
    ].flatMap((payloads) => (payloads ?? []).map((payload) => payload.data?.length ?? 0));
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(1_000_000);
  }
}

let runtime: Runtime;
afterEach(() => runtime.stop());

test('a tool that returns 5 MB leaves a preview and a reference', async () => {
  runtime = await startRuntime({
    agents: [agent],
    replies: [{ toolCalls: [{ name: 'big', arguments: '{}' }] }, { content: 'done' }],
  });
  const run = await runtime.client.start('sizes', 'go', { taskQueue: runtime.taskQueue });
  expect(await run.result()).toMatchObject({ text: 'done' });
  await expectSound(runtime, run.id);
});

test('a message of 5 MB comes in parts and reaches the model whole', async () => {
  runtime = await startRuntime({
    agents: [agent],
    replies: [
      { content: 'waiting' },
      (request) => ({ content: String(String(request.messages.at(-1)?.content).length) }),
    ],
  });
  const run = await runtime.client.start('sizes', 'go', { taskQueue: runtime.taskQueue, keepOpenMs: 60_000 });
  // Else the message could get into the first turn, and there would be no second one.
  await until('the first turn is over', async () => (await run.state()).phase === 'idle');
  const content = text(5_000_000);
  for (const part of partsOf('large', JSON.stringify({ id: 'large', content }))) {
    await run.temporal.signal('inject', part);
  }
  const turns: LogEntry[] = [];
  for await (const entry of run.events()) {
    if (entry.kind === 'turn-ended') turns.push(entry);
    if (turns.length === 2) break;
  }
  expect(turns[1]).toMatchObject({ text: '5000000', stopReason: 'completed' });
  await expectSound(runtime, run.id);
  await run.cancel();
  await run.result();
});

test('ten parallel calls with 600 KB of arguments each all run', async () => {
  runtime = await startRuntime({
    agents: [agent],
    // Streamed, aimock would cut 6 MB into 300,000 pieces.
    profile: { stream: false },
    replies: [
      {
        toolCalls: Array.from({ length: 10 }, (_, i) => ({
          name: 'length_of',
          arguments: JSON.stringify({ text: text(600_000, i + 1) }),
        })),
      },
      (request) => ({
        content: request.messages
          .filter((m) => m.role === 'tool')
          .map((m) => String(m.content))
          .join(),
      }),
    ],
  });
  const run = await runtime.client.start('sizes', 'go', { taskQueue: runtime.taskQueue });
  const { text: answer } = await run.result();
  expect(answer).toBe(Array(10).fill('600000').join());
  await expectSound(runtime, run.id);
});
