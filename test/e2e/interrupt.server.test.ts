import { z } from 'zod';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { chunk, completion, events } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type ChatRequest, type Runtime, type Scripted } from './harness.ts';
import { firedOf, hold, inHand } from './held-tool.ts';
import { eventsOf, typesOf } from './history.ts';
import { until } from './until.ts';

const note = defineTool({
  name: 'note',
  description: 'Takes a note.',
  parameters: z.object({}),
  execute: () => 'noted',
});
const agent = defineAgent({
  name: 'listener',
  instructions: 'You listen.',
  model: 'none',
  tools: [hold, note],
});

const holds = (...ids: string[]): Scripted => ({
  toolCalls: ids.map((id) => ({ id: `call-${id}`, name: 'hold', arguments: JSON.stringify({ id }) })),
});
const outline = (request: ChatRequest | undefined): string[] =>
  (request?.messages ?? []).map(({ role, content }) => (role === 'user' ? `user: ${String(content)}` : role));
const contentOf = (request: ChatRequest | undefined, at: number): string =>
  String(request?.messages.at(at)?.content);

describe('a message that interrupts', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  const start = (model: string, options = {}): Promise<RunHandle> =>
    runtime.client.start('listener', 'Begin.', { taskQueue: runtime.taskQueue, model, ...options });

  test('ends the model request within 2 s, and the text until then is kept and marked', async () => {
    const { model, endpoint } = runtime.playRaw((_, index) =>
      index === 0
        ? {
            headers: { 'content-type': 'text/event-stream' },
            body: events(
              [chunk({ role: 'assistant', content: 'Once upon' }), chunk({ content: ' a time' })],
              { done: false },
            ),
            end: 'hang',
          }
        : { body: completion({ content: 'Shorter.' }) },
    );
    const run = await start(model);
    await endpoint.received(1);
    const sentAt = Date.now();
    await run.send('Shorter, please.', { interrupt: true });
    await endpoint.abandoned(1);
    expect(Date.now() - sentAt).toBeLessThan(2_000);
    expect(await run.result()).toMatchObject({ text: 'Shorter.', turns: 1 });
    const request = endpoint.requests[1]?.body as ChatRequest | undefined;
    expect(outline(request)).toEqual(['system', 'user: Begin.', 'assistant', 'user: Shorter, please.']);
    expect(contentOf(request, -2)).toBe('Once upon a time\n\n[interrupted by the user]');
  });

  test('reaches a running tool within 2 s, and calls without a result are answered', async () => {
    const script = runtime.play([
      {
        toolCalls: [
          { id: 'a', name: 'hold', arguments: '{"id":"m5"}' },
          { id: 'b', name: 'hold', arguments: '{"id":"m6"}' },
          { id: 'c', name: 'note', arguments: '{}' },
        ],
      },
      { content: 'Stopped.' },
    ]);
    const run = await start(script.model);
    await until('both calls run', () => inHand.has('m5') && inHand.has('m6'));
    inHand.get('m6')?.end();
    await until('the second has ended', async () => (await run.state()).calls?.[1]?.status === 'ok');
    const fired = firedOf('m5');
    const sentAt = Date.now();
    await run.send('Stop that.', { interrupt: true });
    await fired;
    expect(Date.now() - sentAt).toBeLessThan(2_000);
    expect(await run.result()).toMatchObject({ text: 'Stopped.', turns: 1 });
    const request = script.requests()[1];
    expect(outline(request)).toEqual([
      'system',
      'user: Begin.',
      'assistant',
      'tool',
      'tool',
      'tool',
      'user: Stop that.',
    ]);
    expect(contentOf(request, -4)).toMatch(/^Cancelled by the user, outcome.* unknown/u);
    expect(contentOf(request, -3)).toBe('held m6');
    expect(contentOf(request, -2)).toMatch(/^Cancelled before it started/u);
  });

  test('also stops calls that wait for a free place', async () => {
    const script = runtime.play([holds('m7', 'm8', 'm9'), { content: 'Stopped.' }]);
    const run = await start(script.model, { limits: { maxParallel: 1 } });
    await until('the first call runs', () => inHand.has('m7'));
    await run.send('Stop that.', { interrupt: true });
    expect(await run.result()).toMatchObject({ text: 'Stopped.', stopReason: 'completed' });
    const request = script.requests()[1];
    expect(contentOf(request, -3)).toMatch(/^Cancelled before it started/u);
    expect(contentOf(request, -2)).toMatch(/^Cancelled before it started/u);
    expect([inHand.has('m8'), inHand.has('m9')]).toEqual([false, false]);
    expect(typesOf(await eventsOf(run))).not.toContain('WORKFLOW_TASK_FAILED');
  });
});
