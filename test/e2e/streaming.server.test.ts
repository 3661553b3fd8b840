import type { Message } from '../../src/contract.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { chunk, completion, eventReply, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type Runtime } from './harness.ts';
import { eventsOf, payloadsOf, typesOf } from './history.ts';
import { until } from './until.ts';

const agent = defineAgent({ name: 'teller', instructions: 'You tell.', model: 'any', tools: [] });

/** Numbered words, so that a lost or doubled delta shows. */
const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index} `);
const usage = { prompt_tokens: 7, completion_tokens: 9, total_tokens: 16 };
const streamed = (deltas: string[]): RawReply =>
  eventReply([
    ...deltas.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    { object: 'chat.completion.chunk', choices: [], usage },
  ]);

describe('an answer that streams', () => {
  let streaming: Runtime;
  let whole: Runtime;
  beforeAll(async () => {
    streaming = await startRuntime({ agents: [agent] });
    whole = await startRuntime({ agents: [agent], profile: { stream: false } });
  });
  afterAll(async () => {
    await streaming.stop();
    await whole.stop();
  });

  interface Told {
    run: RunHandle;
    transcript: Message[];
    asked: Record<string, unknown>;
  }
  async function told(runtime: Runtime, reply: RawReply): Promise<Told> {
    const { model, endpoint } = runtime.playRaw([reply]);
    const run = await runtime.client.start('teller', 'Tell.', { model, taskQueue: runtime.taskQueue });
    expect(await run.result()).toMatchObject({ stopReason: 'completed', usage: { completionTokens: 9 } });
    return { run, transcript: await run.transcript(), asked: endpoint.requests[0]!.body };
  }

  test('of 5,000 deltas leaves the same events in the history as one of 5, and its text twice', async () => {
    const short = await eventsOf((await told(streaming, streamed(words(5)))).run);
    const deltas = words(5_000);
    const { run, transcript } = await told(streaming, streamed(deltas));
    const long = await eventsOf(run);
    // Compared here, not by Jest: it would print 48 KB twice.
    expect(transcript.at(-1)?.content === deltas.join('')).toBe(true);
    expect(typesOf(long)).toEqual(typesOf(short));
    // In the model activity's result and in the run's; not in details, markers or anywhere else.
    expect(payloadsOf(long).filter((payload) => payload.includes(' 4321 '))).toHaveLength(2);
    const bytes = (events: typeof long) => payloadsOf(events).join('').length;
    expect(bytes(long) - bytes(short)).toBeLessThan(2.01 * deltas.join('').length);
  });

  test('gives the same transcript as one that comes whole', async () => {
    const deltas = words(40);
    const inPieces = await told(streaming, streamed(deltas));
    const atOnce = await told(whole, { body: completion({ content: deltas.join('') }, 'stop', usage) });
    expect(inPieces.asked).toMatchObject({ stream: true });
    expect(atOnce.asked['stream'] ?? false).toBe(false);
    expect(inPieces.transcript).toEqual(atOnce.transcript);
    expect(inPieces.asked['messages']).toEqual(atOnce.asked['messages']);
  });

  test('heartbeats while it flows, and a cancel reaches the HTTP request within 2 s and keeps what had come', async () => {
    const { model, endpoint } = streaming.playRaw([
      eventReply(
        words(3).map((content) => chunk({ content })),
        { done: false, end: 'hang' },
      ),
    ]);
    const run = await streaming.client.start('teller', 'Tell.', { model, taskQueue: streaming.taskQueue });
    await endpoint.received(1);
    await until('a heartbeat is seen from outside', async () => {
      const [pending] = (await run.temporal.describe()).raw.pendingActivities ?? [];
      return pending?.heartbeatDetails?.payloads?.length === 1;
    });
    const cancelledAt = Date.now();
    await run.cancel();
    await endpoint.abandoned(1);
    expect(Date.now() - cancelledAt).toBeLessThan(2_000);
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled', text: '0 1 2' });
    expect((await run.transcript()).at(-1)?.content).toBe('0 1 2 \n\n[cancelled]');
    expect((await run.temporal.describe()).status.name).toBe('CANCELLED');
  });
});
