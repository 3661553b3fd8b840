import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Returns what it is given.',
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: ({ text }) => text,
});
const agent = defineAgent({
  name: 'long',
  instructions: 'Answer every message.',
  model: 'gpt-4o',
  tools: [echo],
  limits: { historyEventsMax: 20, maxIterations: 100 },
});

describe('a conversation that goes on as a new run every 20 events', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({
      agents: [agent],
      replies: [
        (request) => {
          const last = request.messages.at(-1);
          if (last?.role === 'tool') return { content: `answered ${String(last.content)}` };
          return {
            toolCalls: [{ name: 'echo', arguments: JSON.stringify({ text: String(last?.content) }) }],
          };
        },
      ],
    });
  });
  afterAll(() => runtime.stop());

  test('answers 50 numbered messages once each and in order, and remembers their ids', async () => {
    const run = await runtime.client.start('long', 'message 0', {
      taskQueue: runtime.taskQueue,
      keepOpenMs: 60_000,
    });
    for (let n = 1; n <= 50; n++) await run.send(`message ${n}`, { id: `m${n}` });
    await run.send('message 1', { id: 'm1' });
    await until('all messages are answered', async () => {
      const state = await run.state();
      return (
        state.phase === 'idle' &&
        state.waitingMessages === 0 &&
        (state.ended?.text ?? '').includes('message 50')
      );
    });
    await run.send('message 2', { id: 'm2' });
    await run.send('message 51', { id: 'm51' });
    await until('the last message is answered', async () => {
      const { ended } = await run.state();
      return (ended?.text ?? '').includes('message 51');
    });

    const { execution } = { execution: await run.temporal.describe() };
    expect(execution.raw.workflowExecutionInfo?.firstRunId).not.toBe(execution.runId);
    const transcript = await run.transcript();
    const asked = transcript
      .filter((message) => message.role === 'user')
      .flatMap((message) => String(message.content).split('\n\n'));
    expect(asked).toEqual(Array.from({ length: 52 }, (_, n) => `message ${n}`));

    const seqs: number[] = [];
    for await (const entry of run.events()) {
      seqs.push(entry.seq);
      if (entry.kind === 'turn-ended' && entry.text.includes('message 51')) break;
    }
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1));
    await run.cancel();
    expect((await run.result()).stopReason).toBe('cancelled');
  });
});
