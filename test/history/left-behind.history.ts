import { z } from 'zod';
import { Contexts } from '../../src/activities/contexts.ts';
import type { Message } from '../../src/contract.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';
import { activitiesOfChain, chainOf } from './chain.ts';
import { largeStart } from './large-start.ts';
import { expectSound } from './sound-history.ts';

/** What happens while the call with this number runs. */
let during: { n: number; happens(): Promise<void> } | undefined;
const look = defineTool({
  name: 'look',
  description: 'Returns a text.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  async execute({ n }) {
    if (n === during?.n) await during.happens();
    return `result ${n} `.repeat(100);
  },
});
const agent = defineAgent({
  name: 'behind',
  instructions: 'Remember everything.',
  model: 'none',
  tools: [look],
  limits: { historyEventsMax: 20, maxIterations: 50 },
});

/** A turn of six rounds, and one of two in whose first everything is lost. */
const lostIn = 100;
const script = (index: number): RawReply => {
  if (index === 6) return { body: completion({ content: 'First answer.' }) };
  if (index === 9) return { body: completion({ content: 'Second answer.' }) };
  const n = index < 6 ? index : index + lostIn - 7;
  const call = { name: 'look', arguments: JSON.stringify({ n }) };
  return {
    body: completion({ tool_calls: [{ id: `c${index}`, type: 'function', function: call }] }, 'tool_calls'),
  };
};

/** The requests of a run of 1.6 MB that goes on as new runs; contexts and store are lost in its second turn. */
async function requests(loses: boolean, recoverByQuery: boolean): Promise<Message[][]> {
  const store = memoryStore({ maxBytes: 200_000_000 });
  const contexts = new Contexts(store);
  during = {
    n: lostIn,
    happens: async () => {
      if (!loses) return;
      contexts.forget();
      await store.close();
    },
  };
  const runtime = await startRuntime({
    agents: [agent],
    store,
    contexts,
    recoverByQuery,
    profile: { stream: false },
  });
  try {
    const { model, endpoint } = runtime.playRaw((_, index) => script(index));
    const { taskQueue } = runtime;
    const run = await runtime.client.start('behind', largeStart, { taskQueue, model, keepOpenMs: 120_000 });
    await until('the first turn is over', async () => (await run.state()).phase === 'idle', 60_000);
    expect(await run.ask('And now?')).toMatchObject({ text: 'Second answer.', stopReason: 'completed' });
    const transcript = await run.transcript();
    expect(transcript.slice(1, 10)).toEqual(largeStart);
    expect(transcript.filter(({ role }) => role === 'tool')).toHaveLength(8);
    await run.cancel();
    await run.result();
    const chain = await chainOf(runtime, run.id);
    expect(chain.length).toBeGreaterThan(2);
    for (const each of chain) await expectSound(each);
    const missing = (await activitiesOfChain(chain)).flatMap(({ failure }) => failure ?? []);
    expect(missing).toEqual(loses && !recoverByQuery ? ['ContextMissing'] : []);
    return endpoint.requests.map(({ body }) => (body as unknown as { messages: Message[] }).messages);
  } finally {
    await runtime.stop();
  }
}

describe('what a long run has left behind when it went on as a new one', () => {
  let undisturbed: Message[][];
  beforeAll(async () => {
    undisturbed = await requests(false, true);
    expect(undisturbed.at(-1)!.length).toBe(1 + 9 + 6 * 2 + 2 + 2 * 2);
  });

  test('is asked of the runs before, when the store has lost it', async () => {
    expect(await requests(true, true)).toEqual(undisturbed);
  });

  test('is said to be no longer available, when those can not be asked either, and the run goes on', async () => {
    const lossy = await requests(true, false);
    expect(lossy.slice(0, 8)).toEqual(undisturbed.slice(0, 8));
    const [front, ...rest] = lossy[8]!;
    expect(String(front?.content)).toMatch(
      /The first \d+ messages of this conversation are no longer available\./,
    );
    // The newest 600 KB are there, in full, and so are the instructions: the turn has recorded them again.
    expect(String(front?.content)).toContain('Remember everything.');
    expect(rest.length).toBeGreaterThan(15);
    expect(undisturbed[8]!.slice(-rest.length)).toEqual(rest);
    expect(lossy[9]!.slice(1)).toEqual(undisturbed[9]!.slice(-lossy[9]!.length + 1));
  });
});
