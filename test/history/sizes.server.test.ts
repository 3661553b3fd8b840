import { z } from 'zod';
import type { Message } from '../../src/contract.ts';
import type { LogEntry } from '../../src/core/log.ts';
import { partsOf } from '../../src/core/parts.ts';
import { completion } from '../../src/testing/raw-endpoint.ts';
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

/** No task failed, nothing was tried again, no payload is over 1 MB and no model's reply over 512 KB. */
async function expectSound(runtime: Runtime, id: string): Promise<void> {
  const history = await runtime.client.temporal.workflow.getHandle(id).fetchHistory();
  const asked = new Set<string>();
  for (const event of history.events ?? []) {
    if (event.activityTaskScheduledEventAttributes?.activityType?.name === 'turnloop.callModel')
      asked.add(String(event.eventId));
    const completed = event.activityTaskCompletedEventAttributes;
    if (asked.has(String(completed?.scheduledEventId)))
      expect(completed?.result?.payloads?.[0]?.data?.length).toBeLessThanOrEqual(512_000);
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

test('a reply that is large in all that it consists of enters the history small, and its text can be read', async () => {
  runtime = await startRuntime({ agents: [agent], profile: { stream: false } });
  const whole = text(700_000);
  const own = {
    reasoning_content: text(600_000, 1),
    reasoning_details: [{ type: 'reasoning.text', text: text(600_000, 2) }],
  };
  const signed = { extra_content: { google: { thought_signature: text(600_000, 3) } } };
  const toolCall = (name: string, args: object): object => ({
    id: `call-${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  });
  const { model, endpoint } = runtime.playRaw(async (_, index) => {
    if (index > 1) return { body: completion({ content: 'done' }) };
    const made = index === 0 ? toolCall('length_of', { text: text(600_000, 4) }) : await readingCall();
    const said = index === 0 ? { content: whole, ...own } : {};
    return { body: completion({ ...said, tool_calls: [{ ...made, ...signed }] }, 'tool_calls') };
  });
  const run = await runtime.client.start('sizes', 'go', { taskQueue: runtime.taskQueue, model });
  const readingCall = async (): Promise<object> => {
    const said = (await run.transcript()).find(({ role }) => role === 'assistant');
    const ref = /read_result\("(reply-[^"]+)"\)\]$/u.exec(String(said?.content))?.[1];
    return toolCall('read_result', { ref, offset: -9 });
  };
  expect(await run.result()).toMatchObject({ text: 'done', stopReason: 'completed' });
  await expectSound(runtime, run.id);

  const [, second, third] = endpoint.requests.map(({ body }) => body['messages'] as Message[]);
  // Its own context has all of it, and the provider gets its fields back.
  expect(second?.[2]).toMatchObject({ content: whole, ...own, tool_calls: [signed] });
  expect(second?.[3]?.content).toBe('600000');
  expect(third?.at(-1)?.content).toContain(`end]\n${whole.slice(-9)}`);

  const events: LogEntry[] = [];
  for await (const entry of run.events()) events.push(entry);
  const [first] = events.filter((entry) => entry.kind === 'model-replied');
  expect(first?.thinking).toMatch(/\[cut: 600000 characters, of which the first 100000 are kept\]$/u);
  expect(first?.warnings).toEqual([
    'the reply was too large for the history, which lacks of it: reasoning_details (600056 bytes), ' +
      'tool_calls[0].extra_content (600050 bytes), reasoning_content (600021 bytes)',
  ]);
});
