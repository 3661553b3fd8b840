import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { ToolContext, ToolSpec } from '../../src/tools/define.ts';
import { RetryableToolError, ToolError } from '../../src/tools/errors.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { startRuntime, type Runtime } from './harness.ts';
import { eventsOf } from './history.ts';
import { calls, resultsIn } from './tool-script.ts';

interface Attempt {
  at: number;
  key: string;
}
const attempts = new Map<string, Attempt[]>();

/** A tool whose attempts are noted, and then end as `act` says. */
function failing(
  name: string,
  spec: Partial<ToolSpec>,
  act: (attempt: number, context: ToolContext) => unknown,
) {
  return defineTool({
    ...spec,
    name,
    description: `Fails as ${name} says.`,
    parameters: z.object({ n: z.number().default(0) }),
    execute(_, context) {
      const made = attempts.get(name) ?? [];
      attempts.set(name, made);
      made.push({ at: Date.now(), key: context.idempotencyKey });
      return act(made.length, context);
    },
  });
}
const fail = (error: Error) => (): never => {
  throw error;
};
/** Ends by its signal only. */
const untilStopped = (_: number, { signal }: ToolContext): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));

const tools = [
  failing('reader', { readOnly: true }, (n) => fail(new Error(`the disk is full (${n})`))()),
  failing('writer', {}, fail(new Error('the disk is full'))),
  failing('asks_again', { concurrencySafe: true }, (n) =>
    fail(
      new RetryableToolError(`busy (${n})`, { retryAfterMs: n === 1 ? 1_400 : 10, hint: 'Come back later.' }),
    )(),
  ),
  failing('heals', {}, (n) =>
    n < 2 ? fail(new RetryableToolError('busy', { retryAfterMs: 20 }))() : 'healed',
  ),
  failing(
    'gives_up',
    { readOnly: true },
    fail(new ToolError('no such table: sales', { hint: 'Look at the schema.' })),
  ),
  failing('slow_reader', { readOnly: true, timeoutMs: 150, attempts: 2 }, untilStopped),
  failing('slow_writer', { timeoutMs: 150 }, untilStopped),
];
const agent = defineAgent({ name: 'worker', instructions: 'You work.', model: 'none', tools });

describe('a tool that fails', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  /** What the model reads of a call of the tool, and how it was tried. */
  async function read(
    name: string,
    args: object = {},
  ): Promise<{ text: string; tries: Attempt[]; gaps: number[]; run: RunHandle }> {
    const script = runtime.play([calls({ name, args }), { content: 'Done.' }]);
    const run = await runtime.client.start('worker', 'Go.', {
      taskQueue: runtime.taskQueue,
      model: script.model,
    });
    expect(await run.result()).toMatchObject({ stopReason: 'completed', iterations: 2 });
    const tries = attempts.get(name) ?? [];
    const gaps = tries.slice(1).map(({ at }, i) => at - tries[i]!.at);
    return { text: resultsIn(script.requests()[1])[0] ?? '', tries, gaps, run };
  }

  test('and only reads is tried three times, after 1 s and 2 s, and the model reads the last error', async () => {
    const { text, gaps } = await read('reader');
    expect(gaps).toHaveLength(2);
    expect(gaps[0]).toBeGreaterThanOrEqual(950);
    expect(gaps[0]).toBeLessThan(3_000);
    expect(gaps[1]).toBeGreaterThanOrEqual(1_950);
    expect(gaps[1]).toBeLessThan(5_000);
    expect(text).toMatch(/^Error: the disk is full \(3\) \(3 attempts/u);
    expect(text).toMatch(/\nHint: /u);
  });

  test('and writes is tried once', async () => {
    const { text, tries } = await read('writer');
    expect(tries).toHaveLength(1);
    expect(text).toMatch(/^Error: the disk is full\nHint: /u);
    expect(text).not.toContain('attempts');
  });

  test('with RetryableToolError is tried three times though it writes, after the pauses it asked for', async () => {
    const { text, tries, gaps, run } = await read('asks_again');
    expect(tries).toHaveLength(3);
    // 1 s and 2 s are what it would have been without its word. A short pause is read in the history: the server may take longer.
    expect(gaps[0]).toBeGreaterThanOrEqual(1_390);
    const started = (await eventsOf(run)).find(
      ({ activityTaskStartedEventAttributes: attributes }) => attributes?.attempt === 3,
    );
    const failure = started?.activityTaskStartedEventAttributes?.lastFailure;
    expect(failure?.applicationFailureInfo?.nextRetryDelay?.nanos).toBe(10_000_000);
    expect(text).toMatch(/^RetryableToolError: busy \(3\) \(3 attempts[^\n]*\nHint: Come back later\.$/u);
  });

  test('and then works is a success with nothing of the failure in it', async () => {
    const { text, tries } = await read('heals');
    expect(tries).toHaveLength(2);
    expect(text).toBe('healed');
  });

  test('with ToolError is tried once though it only reads', async () => {
    const { text, tries } = await read('gives_up');
    expect(tries).toHaveLength(1);
    expect(text).toBe('ToolError: no such table: sales\nHint: Look at the schema.');
  });

  test('has the same idempotency key on each attempt, and another one for each call', async () => {
    attempts.delete('heals');
    const { tries } = await read('heals', { n: 1 });
    expect(tries).toHaveLength(2);
    expect(new Set(tries.map(({ key }) => key)).size).toBe(1);
    const script = runtime.play([
      calls({ name: 'writer' }, { name: 'writer' }, { name: 'writer', args: { n: 1 } }),
      { content: 'Done.' },
    ]);
    attempts.delete('writer');
    const run = await runtime.client.start('worker', 'Go.', {
      taskQueue: runtime.taskQueue,
      model: script.model,
    });
    await run.result();
    const keys = [tries[0]?.key, ...(attempts.get('writer') ?? []).map(({ key }) => key)];
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(4);
  });

  test('by running out of time is tried again when it only reads', async () => {
    const { text, tries, gaps } = await read('slow_reader');
    expect(tries).toHaveLength(2);
    expect(gaps[0]).toBeGreaterThanOrEqual(1_100);
    expect(text).toMatch(/^TimeoutError: .*150 ms.*\(2 attempts/u);
  });

  test('by running out of time is not tried again when it writes: the outcome is unknown', async () => {
    const { text, tries } = await read('slow_writer');
    expect(tries).toHaveLength(1);
    expect(text).toMatch(/^TimeoutError: slow_writer did not end within 150 ms, its outcome is unknown/u);
  });
});
