import { z } from 'zod';
import { Contexts } from '../../src/activities/contexts.ts';
import type { Message } from '../../src/contract.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime } from '../e2e/harness.ts';
import { activitiesOfChain, chainOf } from './chain.ts';
import { expectSound } from './sound-history.ts';

/** What happens while the call with this number runs. */
let during: { n: number; happens(): Promise<void> } | undefined;

const look = defineTool({
  name: 'look',
  description: 'Returns 100 KB.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  async execute({ n }) {
    if (n === during?.n) await during.happens();
    return `${n} seen `.repeat(12_500).slice(0, 100_000);
  },
});
const agent = defineAgent({
  name: 'resend',
  instructions: 'Read everything.',
  model: 'none',
  tools: [look],
  limits: { toolResultMaxChars: 100_000, maxIterations: 20 },
});

/** Three rounds of eight results of 100 KB, and the answer. */
const rounds = 3;
const script = (index: number): RawReply => {
  if (index >= rounds) return { body: completion({ content: `Answer ${index}.` }) };
  const tool_calls = Array.from({ length: 8 }, (_, n) => ({
    id: `c${index}-${n}`,
    type: 'function',
    function: { name: 'look', arguments: JSON.stringify({ n: 10 * index + n }) },
  }));
  return { body: completion({ content: null, tool_calls }, 'tool_calls') };
};

/** The requests of a run whose store is wiped while the given call runs; the run can't be asked. */
async function requests(wipedIn?: number) {
  const store = memoryStore({ maxBytes: 200_000_000 });
  const contexts = new Contexts(store);
  const wipe = async () => {
    contexts.forget();
    await store.close();
  };
  during = wipedIn === undefined ? undefined : { n: wipedIn, happens: wipe };
  const runtime = await startRuntime({
    agents: [agent],
    store,
    contexts,
    recoverByQuery: false,
    profile: { stream: false },
  });
  try {
    const { model, endpoint } = runtime.playRaw((_, index) => script(index));
    const earlier: Message[] = Array.from({ length: 5 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `${n} said `.repeat(20_000),
    }));
    const run = await runtime.client.start('resend', earlier, { taskQueue: runtime.taskQueue, model });
    expect(await run.result()).toMatchObject({ text: `Answer ${rounds}.`, stopReason: 'completed' });
    // Over 4 MB, a history goes on as a new one.
    const chain = await chainOf(runtime, run.id);
    for (const each of chain) await expectSound(each);
    const activities = await activitiesOfChain(chain);
    return {
      texts: endpoint.requests.map(({ text }) => text),
      missing: activities.flatMap(({ type, failure }) => (failure === undefined ? [] : [type, failure])),
      parts: activities.filter(({ type }) => type === 'turnloop.loadContext').length,
    };
  } finally {
    await runtime.stop();
  }
}

test('a whole transcript of over 3 MB is sent again in parts when the store is wiped, and the request is the same to the byte', async () => {
  const undisturbed = await requests();
  expect(undisturbed.texts.at(-1)!.length).toBeGreaterThan(3_000_000);
  expect(undisturbed.missing).toEqual([]);
  // In the last round: the results that are kept behind it are there, everything before is gone.
  const wiped = await requests(10 * (rounds - 1) + 3);
  expect(wiped.missing).toEqual(['turnloop.callModel', 'ContextMissing']);
  expect(wiped.parts).toBeGreaterThanOrEqual(undisturbed.parts + 3);
  expect(wiped.texts.map((text, n) => text === undisturbed.texts[n])).toEqual([true, true, true, true]);
});
