import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { startRuntime, type Runtime } from './harness.ts';
import { activitiesOf, eventsOf } from './history.ts';
import { calls, resultsIn } from './tool-script.ts';

/** What ran in a test, in order: `+name` when a call starts, `-name` when it ends. */
const journals = new Map<string, string[]>();
const journal = (test: string): string[] => {
  const found = journals.get(test) ?? [];
  journals.set(test, found);
  return found;
};
const running = new Map<string, { now: number; most: number }>();
const meetings = new Map<string, () => void>();

const named = z.object({ test: z.string(), name: z.string(), ms: z.number().default(0) });
async function journaled({ test, name, ms }: z.output<typeof named>): Promise<string> {
  const count = running.get(test) ?? { now: 0, most: 0 };
  running.set(test, count);
  count.most = Math.max(count.most, ++count.now);
  journal(test).push(`+${name}`);
  await sleep(ms);
  journal(test).push(`-${name}`);
  count.now--;
  return `result of ${name}`;
}

const meet = defineTool({
  name: 'meet',
  description: 'Ends when somebody else comes to the same place.',
  parameters: z.object({ place: z.string() }),
  concurrencySafe: true,
  timeoutMs: 5_000,
  execute: ({ place }, { signal }) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('nobody came')));
      const other = meetings.get(place);
      if (other) other();
      else meetings.set(place, () => resolve('met'));
      if (other) resolve('met');
    }),
});
const safe = defineTool({
  name: 'safe',
  description: 'Overlaps with its neighbours.',
  parameters: named,
  readOnly: true,
  execute: journaled,
});
const unsafe = defineTool({
  name: 'unsafe',
  description: 'Runs alone.',
  parameters: named,
  execute: journaled,
});
const destroy = defineTool({
  name: 'destroy',
  description: 'Needs a person to agree.',
  parameters: named,
  destructive: true,
  execute: journaled,
});
const rationed = defineTool({
  name: 'rationed',
  description: 'May be called twice a turn.',
  parameters: named,
  readOnly: true,
  callsPerTurn: 2,
  execute: journaled,
});
const huge = defineTool({
  name: 'huge',
  description: 'Returns 5 MB with something in it.',
  parameters: z.object({}),
  readOnly: true,
  execute: () => `${'hay '.repeat(1_000_000)}the needle is blue ${'hay '.repeat(250_000)}`,
});
const agent = defineAgent({
  name: 'worker',
  instructions: 'You work.',
  model: 'none',
  tools: [meet, safe, unsafe, destroy, rationed, huge],
});

describe('the calls of a reply', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  /** A run whose model makes these calls, and what it then reads. */
  async function round(
    made: Parameters<typeof calls>,
    limits = {},
  ): Promise<{ results: string[]; run: RunHandle }> {
    const script = runtime.play([calls(...made), { content: 'Done.' }]);
    const run = await runtime.client.start('worker', 'Go.', {
      taskQueue: runtime.taskQueue,
      model: script.model,
      limits,
    });
    expect(await run.result()).toMatchObject({ text: 'Done.', stopReason: 'completed' });
    expect(script.requests()).toHaveLength(2);
    return { results: resultsIn(script.requests()[1]), run };
  }

  test('overlap when they are safe: two that wait for each other both end', async () => {
    const { results } = await round([
      { name: 'meet', args: { place: 'bridge' } },
      { name: 'meet', args: { place: 'bridge' } },
    ]);
    expect(results).toEqual(['met', 'met']);
  });

  test('run alone when they are not safe, behind all before and ahead of all after', async () => {
    const call = (name: string, tool = 'safe', ms = 60) => ({
      name: tool,
      args: { test: 'alone', name, ms },
    });
    const { results } = await round([
      call('a'),
      call('b', 'safe', 120),
      call('x', 'unsafe'),
      call('c'),
      call('d'),
    ]);
    const seen = journal('alone');
    expect(new Set(seen.slice(0, 4))).toEqual(new Set(['+a', '+b', '-a', '-b']));
    expect(seen.slice(4, 6)).toEqual(['+x', '-x']);
    expect(new Set(seen.slice(6))).toEqual(new Set(['+c', '+d', '-c', '-d']));
    expect(results).toEqual(['a', 'b', 'x', 'c', 'd'].map((name) => `result of ${name}`));
  });

  test('are answered in their order, whatever the order in which they end', async () => {
    const seed = Date.now() % 1_000_000;
    process.stderr.write(`seed of the delays: ${seed}\n`);
    const orders = fc.sample(fc.shuffledSubarray([0, 80, 160, 240, 320], { minLength: 5 }), {
      seed,
      numRuns: 4,
    });
    await Promise.all(
      [[320, 240, 160, 80, 0], ...orders].map(async (delays, n) => {
        const test = `order-${n}`;
        const { results } = await round(
          delays.map((ms, i) => ({ name: 'safe', args: { test, name: String(i), ms } })),
        );
        expect(results).toEqual(delays.map((_, i) => `result of ${i}`));
      }),
    );
    const ends = journal('order-0').filter((entry) => entry.startsWith('-'));
    expect(ends).not.toEqual(['-0', '-1', '-2', '-3', '-4']);
  });

  test('run maxParallel at a time and no more', async () => {
    const made = Array.from({ length: 6 }, (_, i) => ({
      name: 'safe',
      args: { test: 'parallel', name: String(i), ms: 60 },
    }));
    const { results } = await round(made, { maxParallel: 2 });
    expect(running.get('parallel')).toEqual({ now: 0, most: 2 });
    expect(results).toEqual(made.map((_, i) => `result of ${i}`));
  });

  test('of a tool that nobody has are answered with the list of those there are', async () => {
    const { results, run } = await round([{ name: 'Sa_fe' }, { name: 'nonsense' }]);
    expect(results[0]).toMatch(/^UnknownTool: .*"Sa_fe".*Did you mean "safe"\?/su);
    expect(results[1]).toMatch(/"nonsense".*destroy, huge, meet, rationed, read_result, safe, unsafe/su);
    expect(results[1]).not.toContain('Did you mean');
    const types = activitiesOf(await eventsOf(run)).map(({ type }) => type);
    expect(types).toEqual(['turnloop.openTurn', 'turnloop.callModel', 'turnloop.callModel']);
  });

  test('with arguments that are not valid are not run, and say all that is wrong', async () => {
    const { results } = await round([{ name: 'safe', args: { name: 7.5, ms: 'soon' } }]);
    expect(results[0]).toMatch(/^InvalidArguments: safe was not run/u);
    expect(results[0]).toMatch(/test/u);
    expect(results[0]).toMatch(/ms.*number/su);
  });

  test('that a person has to agree to are not run without one', async () => {
    const { results } = await round([
      { name: 'destroy', args: { test: 'destroyed', name: 'a' } },
      { name: 'safe', args: { test: 'destroyed', name: 'b' } },
    ]);
    expect(results[0]).toMatch(/^Error: refused, destroy needs a person's approval.*not run/u);
    expect(results[1]).toBe('result of b');
    expect(journal('destroyed')).toEqual(['+b', '-b']);
  });

  test('of a tool beyond its allowance are refused', async () => {
    const { results } = await round(
      ['a', 'b', 'c'].map((name) => ({ name: 'rationed', args: { test: 'ration', name } })),
    );
    expect(results.slice(0, 2)).toEqual(['result of a', 'result of b']);
    expect(results[2]).toMatch(/allowance of rationed is used up \(2 calls per turn\)/u);
    expect(journal('ration')).toHaveLength(4);
  });

  test('that repeat are warned of at the third, refused from the fifth, and end the turn as a loop', async () => {
    const same = calls({ name: 'safe', args: { test: 'repeats', name: 'a' } });
    const script = runtime.play([...Array.from({ length: 7 }, () => same), { content: 'I give up.' }]);
    const run = await runtime.client.start('worker', 'Go.', {
      taskQueue: runtime.taskQueue,
      model: script.model,
    });
    expect(await run.result()).toMatchObject({ text: 'I give up.', stopReason: 'loop', iterations: 7 });
    const read = script
      .requests()
      .slice(1)
      .map((request) => resultsIn(request)[0]);
    expect(read.slice(0, 2)).toEqual(['result of a', 'result of a']);
    for (const [i, text] of read.slice(2, 4).entries())
      expect(text).toMatch(
        new RegExp(`^result of a\n\n\\[This is call ${i + 3} of safe with the same arguments`, 'u'),
      );
    for (const [i, text] of read.slice(4).entries())
      expect(text).toMatch(new RegExp(`^Error: refused, this is call ${i + 5} of safe`, 'u'));
    expect(read).toHaveLength(7);
    expect(script.requests().at(-1)?.tools).toBeUndefined();
    expect(journal('repeats')).toHaveLength(8);
  });

  test('with a result of 5 MB show its beginning, and read_result finds what stands at 80 % of it', async () => {
    const script = runtime.play([
      calls({ name: 'huge' }),
      (request) => {
        const ref = /read_result\("([^"]+)"\)/u.exec(resultsIn(request as never)[0] ?? '')?.[1];
        return calls({ name: 'read_result', args: { ref, grep: 'needle' } }) as never;
      },
      { content: 'Blue.' },
    ]);
    const run = await runtime.client.start('worker', 'Go.', {
      taskQueue: runtime.taskQueue,
      model: script.model,
    });
    expect(await run.result()).toMatchObject({ text: 'Blue.' });
    const [preview = ''] = resultsIn(script.requests()[1]);
    expect(preview.startsWith('hay '.repeat(500))).toBe(true);
    expect(preview.slice(2_000)).toMatch(
      /^\.\.\.\[truncated, full result stored in cache\] · 2,000 of 5,000,019 characters/u,
    );
    expect(resultsIn(script.requests()[2])[0]).toContain('the needle is blue');
    const bytes = activitiesOf(await eventsOf(run)).reduce((sum, activity) => sum + activity.bytes, 0);
    expect(bytes).toBeLessThan(20_000);
  });
});

describe('a tool', () => {
  test('that the worker of its queue no longer has is answered instead of tried for ever', async () => {
    const gone = defineTool({
      name: 'gone',
      description: 'Was there when it was planned.',
      parameters: z.object({}),
      taskQueue: 'set below',
      execute: () => 'never',
    });
    const elsewhere = `elsewhere-${Date.now()}`;
    const moved = defineTool({ ...gone.spec, taskQueue: elsewhere });
    const runtime = await startRuntime({
      agents: [defineAgent({ name: 'a', instructions: 'x', model: 'none', tools: [moved] })],
    });
    try {
      await runtime.startWorker({
        taskQueue: elsewhere,
        agents: [defineAgent({ name: 'b', instructions: 'x', model: 'none', tools: [] })],
      });
      const script = runtime.play([calls({ name: 'gone' }), { content: 'Without it.' }]);
      const run = await runtime.client.start('a', 'Go.', {
        taskQueue: runtime.taskQueue,
        model: script.model,
      });
      expect(await run.result()).toMatchObject({ text: 'Without it.' });
      expect(resultsIn(script.requests()[1])).toEqual([
        "Error: the tool gone doesn't exist any more, the call was not run. Go on without it.",
      ]);
    } finally {
      await runtime.stop();
    }
  });
});
