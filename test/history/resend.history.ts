import { z } from 'zod';
import { Contexts } from '../../src/activities/contexts.ts';
import type { Message } from '../../src/contract.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime } from '../e2e/harness.ts';
import { activitiesOf, eventsOf } from '../e2e/history.ts';
import { expectSound, failuresOf } from './sound-history.ts';

const look = defineTool({
  name: 'look',
  description: 'Returns 100 KB.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  execute: ({ n }) => `${n} seen `.repeat(12_500).slice(0, 100_000),
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

/** Texts of the requests of a run whose store is wiped before the given ones; the run can't be asked. */
async function requests(wipeBefore: number[]) {
  const store = memoryStore({ maxBytes: 200_000_000 });
  const contexts = new Contexts(store);
  const runtime = await startRuntime({
    agents: [agent],
    store,
    contexts,
    recoverByQuery: false,
    profile: { stream: false },
  });
  try {
    const { model, endpoint } = runtime.playRaw(async (_, index) => {
      if (wipeBefore.includes(index + 1)) {
        contexts.forget();
        await store.close();
      }
      return script(index);
    });
    const earlier: Message[] = Array.from({ length: 5 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `${n} said `.repeat(20_000),
    }));
    const run = await runtime.client.start('resend', earlier, { taskQueue: runtime.taskQueue, model });
    expect(await run.result()).toMatchObject({ text: `Answer ${rounds}.`, stopReason: 'completed' });
    await expectSound(run);
    return {
      texts: endpoint.requests.map(({ text }) => text),
      missing: await failuresOf(run, 'turnloop.callModel'),
      parts: activitiesOf(await eventsOf(run)).filter(({ type }) => type === 'turnloop.loadContext').length,
    };
  } finally {
    await runtime.stop();
  }
}

test('a whole transcript of over 3 MB is sent again in parts when the store is wiped, and the request is the same to the byte', async () => {
  const undisturbed = await requests([]);
  expect(undisturbed.texts.at(-1)!.length).toBeGreaterThan(3_000_000);
  expect(undisturbed.missing).toEqual([]);
  // While the third request is answered, the store loses everything: results of the round behind it are there, the rest isn't.
  const wiped = await requests([rounds]);
  expect(wiped.missing).toEqual(['ContextMissing']);
  expect(wiped.parts).toBeGreaterThanOrEqual(undisturbed.parts + 3);
  expect(wiped.texts.map((text, n) => text === undisturbed.texts[n])).toEqual([true, true, true, true]);
});
