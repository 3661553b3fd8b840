import { z } from 'zod';
import type { LogEntry } from '../../src/core/log.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { eventsOf } from '../e2e/history.ts';
import { hold, inHand } from '../e2e/held-tool.ts';
import { until } from '../e2e/until.ts';
import { chainOf } from './chain.ts';
import { expectSound } from './sound-history.ts';

/** Idempotency keys of the calls, by run. */
const keys: { run: string; key: string }[] = [];
const look = defineTool({
  name: 'look',
  description: 'Returns a long text.',
  parameters: z.object({ n: z.number() }),
  concurrencySafe: true,
  execute({ n }, { idempotencyKey, runId }) {
    keys.push({ run: runId, key: idempotencyKey });
    return `result ${n} `.repeat(400);
  },
});
const agent = defineAgent({
  name: 'chain',
  instructions: 'Go on.',
  model: 'none',
  tools: [look, hold],
  // Two rounds of a tool are more: every turn here is continued in its middle.
  limits: { historyEventsMax: 20, maxIterations: 50 },
});

const says = (content: string, finish = 'stop'): RawReply => ({ body: completion({ content }, finish) });
const calls = (...made: [name: string, args: object][]): RawReply => {
  const tool_calls = made.map(([name, args], i) => ({
    id: `c${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { body: completion({ content: null, tool_calls }, 'tool_calls') };
};
const idle = (run: RunHandle, turn: number) =>
  until(`turn ${turn} is over`, async () => {
    const state = await run.state();
    return state.turn === turn && state.phase === 'idle';
  });
const rounds = (count: number): RawReply[] =>
  Array.from({ length: count }, (_, n) => calls(['look', { n }], ['look', { n: n + 100 }]));

describe('a turn that goes on as a new run in its middle', () => {
  let runtime: Runtime;
  /** Begins at once, since it mostly waits for its time to be up. */
  let timed: RunHandle;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], profile: { stream: false } });
    const replies = [...rounds(4), calls(['hold', { id: 'time' }]), says('Time is up.')];
    ({ run: timed } = await start(replies, { limits: { timeoutMs: 12_000 } }));
  });
  afterAll(() => runtime.stop());

  async function start(replies: RawReply[], options: object = {}) {
    const { model, endpoint } = runtime.playRaw(replies);
    const run = await runtime.client.start('chain', 'Go.', {
      taskQueue: runtime.taskQueue,
      model,
      ...options,
    });
    return { run, endpoint };
  }

  /** The runs of its chain, all sound. */
  async function soundChain(run: RunHandle, lengthMin: number) {
    const chain = await chainOf(runtime, run.id);
    expect(chain.length).toBeGreaterThanOrEqual(lengthMin);
    for (const each of chain) await expectSound(each);
    return chain;
  }

  test('has one result, one transcript, one log and a call of each kind once, whoever looks at it', async () => {
    const { run, endpoint } = await start([
      ...rounds(6),
      calls(['read_result', { ref: '1/1/0', limit: 20 }]),
      says('All done.'),
    ]);
    const seen: LogEntry[] = [];
    for await (const entry of run.events()) seen.push(entry);
    expect(await run.result()).toMatchObject({
      text: 'All done.',
      stopReason: 'completed',
      iterations: 8,
      turns: 1,
      usage: { requests: 8 },
    });
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1));
    expect(seen.filter(({ kind }) => kind === 'call-settled')).toHaveLength(13);
    const transcript = await run.transcript();
    expect(transcript.map(({ role }) => role)).toEqual([
      'system',
      'user',
      ...Array.from({ length: 6 }, () => ['assistant', 'tool', 'tool']).flat(),
      ...['assistant', 'tool', 'assistant'],
    ]);
    expect(transcript.at(-2)?.content).toContain('result 0 ');
    const bodies = endpoint.requests.map(({ body }) => (body as { messages: unknown[] }).messages.length);
    expect(bodies).toEqual([2, 5, 8, 11, 14, 17, 20, 22]);
    expect(new Set(keys.flatMap(({ run: id, key }) => (id === run.id ? key : []))).size).toBe(12);

    // By id, from another client's view, it is the same.
    const again = runtime.client.run(run.id);
    expect(await again.transcript()).toEqual(transcript);
    expect(await again.state()).toMatchObject({ turn: 1, ended: { text: 'All done.' } });
    const from = seen[9]!.seq;
    const rest: LogEntry[] = [];
    for await (const entry of again.events({ from })) rest.push(entry);
    expect(rest).toEqual(seen.slice(10));
    await soundChain(run, 3);
  });

  test('answers a message to whoever asked, and another one after it', async () => {
    const { run } = await start(
      [...rounds(3), says('First.'), ...rounds(3), says('Second.'), says('Third.')],
      {
        keepOpenMs: 60_000,
      },
    );
    await idle(run, 1);
    expect(await run.ask('And then?', { id: 'm1' })).toMatchObject({ text: 'Second.' });
    expect(await run.ask('And at last?', { id: 'm2' })).toMatchObject({ text: 'Third.' });
    expect(await run.ask('And then?', { id: 'm1' })).toMatchObject({ text: 'Second.' });
    await run.cancel();
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled', text: 'Third.', turns: 3 });
    await soundChain(run, 3);
  });

  test('joins an answer that was cut by length across runs', async () => {
    const cut = ['One, ', 'two, ', 'three, '].map((piece) => says(piece, 'length'));
    const { run } = await start([...rounds(1), ...cut, says('four.')], { limits: { historyEventsMax: 10 } });
    expect(await run.result()).toMatchObject({ text: 'One, two, three, four.', stopReason: 'completed' });
    await soundChain(run, 3);
  });

  test('is interrupted like any other', async () => {
    const id = 'interrupt';
    const { run } = await start([...rounds(3), calls(['hold', { id }]), ...rounds(2), says('As you like.')]);
    await until('the tool runs', () => inHand.has(id));
    await run.interrupt('Stop, do that.');
    expect(await run.result()).toMatchObject({ text: 'As you like.', stopReason: 'completed', turns: 1 });
    const transcript = await run.transcript();
    const at = transcript.findIndex(({ content }) => content === 'Stop, do that.');
    expect(transcript[at - 1]).toMatchObject({ role: 'tool', content: expect.stringMatching(/cancelled/i) });
    expect(transcript.slice(at + 1).map(({ role }) => role)).toEqual([
      ...['assistant', 'tool', 'tool', 'assistant', 'tool', 'tool', 'assistant'],
    ]);
    await soundChain(run, 3);
  });

  test('remembers ids of messages, limits and usage of all its runs', async () => {
    const { run } = await start([...rounds(4), says('First.'), ...rounds(4), says('Second.')], {
      keepOpenMs: 60_000,
      limits: { maxTokens: 1_000_000, callsPerRun: 15 },
    });
    await idle(run, 1);
    await run.ask('More.', { id: 'same' });
    await run.send('More.', { id: 'same' });
    const transcript = await run.transcript();
    expect(transcript.filter(({ content }) => content === 'More.')).toHaveLength(1);
    // The 16th call of the tool is refused, though it is the eighth of its turn.
    const refused = transcript.flatMap(({ role, content }, n) =>
      role === 'tool' && /allowance|allowed|used up/.test(String(content)) ? [n] : [],
    );
    expect(refused).toHaveLength(1);
    await run.cancel();
    expect((await run.result()).usage.requests).toBe(10);
    await soundChain(run, 3);
  });

  test('ends when the time of the whole chain is up, not of its last run', async () => {
    expect(await timed.result()).toMatchObject({ text: 'Time is up.', stopReason: 'budget' });
    const chain = await soundChain(timed, 2);
    const timers = await Promise.all(
      chain.map(async (each) => {
        const events = await eventsOf(each);
        const { startToFireTimeout } = events.find(
          (event) => event.timerStartedEventAttributes,
        )!.timerStartedEventAttributes!;
        return Number(startToFireTimeout?.seconds ?? 0) * 1_000 + (startToFireTimeout?.nanos ?? 0) / 1e6;
      }),
    );
    expect(timers.length).toBeGreaterThanOrEqual(2);
    expect(timers).toEqual(timers.toSorted((a, b) => b - a));
    expect(timers.at(-1)).toBeLessThan(timers[0]!);
  });
});
