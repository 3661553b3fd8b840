import { z } from 'zod';
import type { Message } from '../../src/contract.ts';
import { completion } from '../../src/testing/raw-endpoint.ts';
import { estimateTokens } from '../../src/text/estimate-tokens.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime } from '../e2e/harness.ts';
import { activitiesOf, eventsOf } from '../e2e/history.ts';
import { expectSound } from './sound-history.ts';

const words = ['region', 'north', 'grew', 'by', 'seven', 'percent', 'while', 'south', 'fell', 'in', 'spring'];
/** Words in an order that does not repeat soon. */
const prose = (count: number, from: number): string =>
  Array.from({ length: count }, (_, i) => words[((from + i) * (i + 7)) % words.length]).join(' ');

const look = defineTool({
  name: 'look',
  description: 'Returns 5 KB.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  execute: ({ n }) => `${n} ${prose(1_200, n)}`.slice(0, 5_000),
});
const agent = defineAgent({
  name: 'long',
  instructions: 'Go on until everything is read.',
  model: 'none',
  tools: [look],
  limits: { maxIterations: 200, callsPerTurn: 200, toolResultMaxChars: 6_000 },
});

test('a conversation of 209,000 tokens goes on with 100 calls of 5 KB in one turn, and its history grows linearly', async () => {
  const earlier: Message[] = Array.from({ length: 209 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: prose(1_000, n),
  }));
  expect(estimateTokens(earlier.map(({ content }) => content).join('\n'))).toBeGreaterThanOrEqual(209_000);
  const calls = 100;
  const runtime = await startRuntime({ agents: [agent], profile: { stream: false } });
  try {
    const sizes: number[] = [];
    const { model, endpoint } = runtime.playRaw(({ text }, index) => {
      sizes.push(text.length);
      // A request is a megabyte and a half at last: what has been looked at need not be kept.
      endpoint.requests.length = index + 1;
      endpoint.requests.fill({ path: '', headers: {}, text: '', body: {} });
      if (index === calls) return { body: completion({ content: 'Everything is read.' }) };
      const call = { name: 'look', arguments: JSON.stringify({ n: index }) };
      return {
        body: completion(
          { tool_calls: [{ id: `c${index}`, type: 'function', function: call }] },
          'tool_calls',
        ),
      };
    });
    const run = await runtime.client.start('long', earlier, { taskQueue: runtime.taskQueue, model });
    expect(await run.result()).toMatchObject({
      text: 'Everything is read.',
      stopReason: 'completed',
      turns: 1,
      iterations: calls + 1,
    });
    // The model was sent everything each time: the conversation, and all results.
    expect(sizes[0]).toBeGreaterThan(1_000_000);
    expect(sizes.at(-1)! - sizes[0]!).toBeGreaterThan(calls * 5_000);

    const events = await eventsOf(run);
    const activities = activitiesOf(events);
    expect(activities.map(({ failure }) => failure).filter(Boolean)).toEqual([]);
    const asked = activities.filter(({ type }) => type === 'turnloop.callModel').slice(1);
    expect(asked).toHaveLength(calls);
    const bytes = asked.map((activity) => activity.bytes);
    expect(Math.max(...bytes) / Math.min(...bytes)).toBeLessThan(1.5);
    const all = activities.reduce((sum, activity) => sum + activity.bytes, 0);
    expect(all).toBeLessThan(3_000_000);
    expect(events.length).toBeLessThan(12 * calls + 60);
    await expectSound(run);
  } finally {
    await runtime.stop();
  }
});
