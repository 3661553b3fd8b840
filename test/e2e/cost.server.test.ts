import { z } from 'zod';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime, type Scripted } from './harness.ts';
import { until } from './until.ts';

const ran: string[] = [];
const note = defineTool({
  name: 'note',
  description: 'Notes a text.',
  parameters: z.object({ text: z.string() }),
  execute: ({ text }) => `noted as ${ran.push(text)}`,
});
const agent = defineAgent({ name: 'spender', instructions: 'You spend.', model: 'none', tools: [note] });

interface Tokens {
  prompt: number;
  completion: number;
}
const usage = ({ prompt, completion }: Tokens): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const notes = (text: string, tokens: Tokens): Scripted =>
  ({
    toolCalls: [{ name: 'note', arguments: JSON.stringify({ text }) }],
    usage: usage(tokens),
  }) as Scripted;
const says = (content: string, tokens: Tokens): Scripted => ({ content, usage: usage(tokens) }) as Scripted;

describe('a run with maxCostUsd', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    // US dollars a million tokens.
    const price = (model: string) => (model === 'unpriced' ? undefined : { prompt: 10, completion: 30 });
    runtime = await startRuntime({ agents: [agent], profile: { price } });
  });
  afterAll(() => runtime.stop());

  const start = (model: string, maxCostUsd: number, options = {}): Promise<RunHandle> => {
    const { taskQueue } = runtime;
    return runtime.client.start('spender', 'Begin.', {
      taskQueue,
      model,
      limits: { maxCostUsd },
      ...options,
    });
  };

  test('that has spent it runs no further call, makes no further request and stops with budget', async () => {
    const script = runtime.play([
      notes('first', { prompt: 1_000, completion: 100 }),
      notes('second', { prompt: 2_000, completion: 200 }),
    ]);
    const run = await start(script.model, 0.03);
    const result = await run.result();
    expect(result).toEqual({
      text: "The run's budget is used up: 0.0390 of 0.03 USD are spent.",
      stopReason: 'budget',
      iterations: 2,
      turns: 1,
      usage: {
        requests: 2,
        failedRequests: 0,
        promptTokens: 3_000,
        completionTokens: 300,
        cachedTokens: 0,
        reasoningTokens: 0,
        estimated: false,
        costUsd: expect.closeTo(0.039, 10),
      },
    });
    expect((await run.temporal.describe()).status.name).toBe('COMPLETED');
    expect(script.requests()).toHaveLength(2);
    expect(ran).toEqual(['first']);
    expect((await run.transcript()).slice(2).map(({ content }) => content)).toEqual([
      null,
      'noted as 1',
      null,
      "Not run: the run's budget is used up (0.0390 of 0.03 USD are spent).",
      result.text,
    ]);
  });

  test('whose answer spends it has its answer', async () => {
    const script = runtime.play([says('An expensive answer.', { prompt: 5_000, completion: 1_000 })]);
    const result = await (await start(script.model, 0.01)).result();
    expect(result).toMatchObject({ text: 'An expensive answer.', stopReason: 'completed' });
    expect(result.usage.costUsd).toBeCloseTo(0.08, 10);
  });

  test('counts the requests of all its turns, and ends a later one without any', async () => {
    const script = runtime.play([
      says('Here.', { prompt: 350, completion: 50 }),
      says('There.', { prompt: 350, completion: 50 }),
    ]);
    const run = await start(script.model, 0.01, { keepOpenMs: 60_000 });
    const ended = (turn: number) => async () => {
      const state = await run.state();
      return state.phase === 'idle' && state.turn === turn;
    };
    await until('the first turn has ended', ended(1));
    await run.send('And there?');
    await until('the second turn has ended', ended(2));
    await run.send('And everywhere?');
    await until('the third turn has ended', ended(3));
    expect((await run.state()).ended).toMatchObject({
      stopReason: 'budget',
      text: "The run's budget is used up: 0.0100 of 0.01 USD are spent.",
    });
    expect(script.requests()).toHaveLength(2);
    await run.cancel();
    expect((await run.result()).usage).toMatchObject({ requests: 2, costUsd: expect.closeTo(0.01, 10) });
  });

  test('and a model without a price is refused before a request is made', async () => {
    const result = await (await start('unpriced', 1)).result();
    expect(result).toMatchObject({ stopReason: 'error', error: { type: 'invalid_input' } });
    expect(result.error?.message).toMatch(/maxCostUsd is 1.*no price for model "unpriced"/u);
    expect(result.usage).toMatchObject({ requests: 0 });
  });
});
