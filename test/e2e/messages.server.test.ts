import { z } from 'zod';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { logged, startRuntime, type ChatRequest, type Runtime, type Scripted } from './harness.ts';
import { hold, inHand } from './held-tool.ts';
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

describe('a message into a run', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  const start = (model: string, options = {}): Promise<RunHandle> =>
    runtime.client.start('listener', 'Begin.', { taskQueue: runtime.taskQueue, model, ...options });

  test('goes behind all results of the round in which it comes', async () => {
    const script = runtime.play([holds('m1', 'm2'), { content: 'Both.' }]);
    const run = await start(script.model);
    await until('both calls run', () => inHand.has('m1') && inHand.has('m2'));
    inHand.get('m1')?.end();
    await run.send('And this?');
    inHand.get('m2')?.end();
    expect(await run.result()).toMatchObject({ text: 'Both.', turns: 1 });
    expect(outline(script.requests()[1])).toEqual([
      'system',
      'user: Begin.',
      'assistant',
      'tool',
      'tool',
      'user: And this?',
    ]);
  });

  test('is answered in the same turn when it comes while the final answer is produced', async () => {
    const started = Promise.withResolvers<RunHandle>();
    const script = runtime.play([
      async () => {
        await (await started.promise).send('One more thing.');
        return { content: 'The answer.' };
      },
      { content: 'The other answer.' },
    ]);
    const run = await start(script.model);
    started.resolve(run);
    expect(await run.result()).toMatchObject({ text: 'The other answer.', turns: 1, iterations: 2 });
    expect(outline(script.requests()[1])).toEqual([
      'system',
      'user: Begin.',
      'assistant',
      'user: One more thing.',
    ]);
    expect(contentOf(script.requests()[1], -2)).toBe('The answer.');
  });

  test('counts once however often its id is sent, and may be a bare string', async () => {
    const script = runtime.play([holds('m3'), { content: 'Heard.' }]);
    const run = await start(script.model);
    await until('the call runs', () => inHand.has('m3'));
    await run.send('first', { id: 'same' });
    await run.send('second', { id: 'same' });
    await run.temporal.signal('inject', 'third');
    inHand.get('m3')?.end();
    await run.result();
    expect(contentOf(script.requests()[1], -1)).toBe('first\n\nthird');
    await expect(run.send('too late')).rejects.toMatchObject({ name: 'RunEndedError' });
  });

  test('without usable content is ignored, with a warning where it has the wrong shape', async () => {
    const script = runtime.play([holds('m4'), { content: 'Heard.' }]);
    const run = await start(script.model);
    await until('the call runs', () => inHand.has('m4'));
    const wrong: unknown[] = [
      undefined,
      null,
      42,
      [],
      {},
      { content: 5 },
      { content: null },
      { content: [null] },
      { content: ['text'] },
      { content: [{ type: 'text' }] },
      { content: [{ type: 7 }] },
    ];
    const before = ignored();
    for (const payload of wrong) await run.temporal.signal('inject', payload);
    await run.temporal.signal('inject');
    for (const blank of [
      '',
      ' \n',
      { content: '\u3000' },
      { content: [] },
      { content: [{ type: 'text', text: ' ' }] },
    ])
      await run.temporal.signal('inject', blank);
    await run.temporal.signal('inject', { id: 5, content: 'good' });
    inHand.get('m4')?.end();
    await run.result();
    expect(contentOf(script.requests()[1], -1)).toBe('good');
    expect(ignored() - before).toBe(wrong.length + 1);
    expect(typesOf(await eventsOf(run))).not.toContain('WORKFLOW_TASK_FAILED');
  });
});

describe('a conversation that is kept open', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  test('begins each request with the one before it, and ends when nobody writes any more', async () => {
    const script = runtime.play([
      { content: 'One.' },
      { toolCalls: [{ name: 'note', arguments: '{}' }] },
      { content: 'Two.' },
      { content: 'Three.' },
    ]);
    const run = await runtime.client.start('listener', 'First?', {
      taskQueue: runtime.taskQueue,
      model: script.model,
      keepOpenMs: 1_500,
    });
    for (const [turn, question] of [
      [1, 'Second?'],
      [2, 'Third?'],
    ] as const) {
      await until(`turn ${turn} has ended`, async () => {
        const state = await run.state();
        return state.turn === turn && state.phase === 'idle';
      });
      await run.send(question);
    }
    expect(await run.result()).toMatchObject({ text: 'Three.', stopReason: 'completed', turns: 3 });
    const bodies = script
      .requests()
      .map(({ messages }) => messages.map((message) => JSON.stringify(message)));
    expect(bodies.map((body) => body.length)).toEqual([2, 4, 6, 8]);
    for (const [n, body] of bodies.slice(1).entries())
      expect(body.slice(0, bodies[n]!.length)).toEqual(bodies[n]);
    const roles = (await run.transcript()).map(({ role }) => role);
    expect(roles).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  test('that nobody writes to in time ends with the result of its last turn', async () => {
    const script = runtime.play([{ content: 'Alone.' }]);
    const run = await runtime.client.start('listener', 'Hello?', {
      taskQueue: runtime.taskQueue,
      model: script.model,
      keepOpenMs: 200,
    });
    expect(await run.result()).toMatchObject({ text: 'Alone.', stopReason: 'completed', turns: 1 });
    const { items } = await run.temporal.query<{ items: { kind: string; at: number }[] }, [number]>(
      'events',
      0,
    );
    const endedAt = items.find(({ kind }) => kind === 'turn-ended')?.at ?? 0;
    const { closeTime } = await run.temporal.describe();
    expect((closeTime?.getTime() ?? 0) - endedAt).toBeGreaterThanOrEqual(200);
  });
});

describe('messages that race with the end of one-off runs', () => {
  test('are answered, or their sender gets an error', async () => {
    const runtime = await startRuntime({ agents: [agent] });
    try {
      const script = runtime.play([(request) => ({ content: `Answer behind ${request.messages.length}.` })]);
      const seed = Date.now() % 1_000_000;
      process.stderr.write(`seed of the race: ${seed}\n`);
      const delays = sequence(seed);
      let refused = 0;
      let answered = 0;
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const run = await runtime.client.start('listener', 'Begin.', {
            taskQueue: runtime.taskQueue,
            model: script.model,
          });
          const outcomes = await Promise.all(
            ['x', 'y', 'z'].map(async (name) => {
              await new Promise((resolve) => setTimeout(resolve, delays() * 400));
              try {
                await run.send(`message-${name}.`);
                return { name, sent: true };
              } catch (error) {
                expect((error as { name?: unknown }).name).toBe('RunEndedError');
                return { name, sent: false };
              }
            }),
          );
          expect(await run.result()).toMatchObject({ stopReason: 'completed' });
          const transcript = await run.transcript();
          for (const { name, sent } of outcomes) {
            const at = transcript.filter(
              ({ role, content }) => role === 'user' && String(content).includes(`message-${name}.`),
            );
            expect([name, at.length]).toEqual([name, sent ? 1 : 0]);
            if (sent) answered++;
            else refused++;
          }
          expect(transcript.at(-1)?.role).toBe('assistant');
        }),
      );
      expect(answered + refused).toBe(30);
    } finally {
      await runtime.stop();
    }
  });
});

const ignored = (): number =>
  logged.filter(({ message }) => message.startsWith('signal inject ignored')).length;

/** Numbers from 0 to 1 that a seed gives (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
