import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Message } from '../../src/contract.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime } from '../e2e/harness.ts';
import { activitiesOf, eventsOf } from '../e2e/history.ts';
import { until } from '../e2e/until.ts';
import { testServer } from '../setup/test-server.ts';
import { expectSound } from './sound-history.ts';

describe('the code that replays a history', () => {
  /** Modules of the bundle that workers run workflows from, by the source map in it. */
  async function modules(): Promise<string[]> {
    const code = await readFile(testServer().workflowBundle.codePath, 'utf8');
    const [, map = ''] = /sourceMappingURL=data:application\/json[^,]*,(\S+)/.exec(code) ?? [];
    const { sources } = JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as { sources: string[] };
    return sources.map((source) => source.replace(/^webpack:\/\/[^/]*\//, ''));
  }

  test('is core and workflows: no tool, guard, default limit, prompt, model or policy that a build may change', async () => {
    const ours = (await modules()).filter((path) => !path.includes('node_modules/'));
    const own = ours.flatMap((path) => /(?:^|\/)src\/(.+)$/.exec(path)?.[1] ?? []);
    expect(own).toContain('core/turn.ts');
    expect(own).toContain('workflows/agent.ts');
    expect(own.filter((path) => !/^(core|workflows)\//.test(path))).toEqual([]);
  });

  test("is of no package but Temporal's own and what that needs", async () => {
    const packages = (await modules()).flatMap(
      (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    expect([...new Set(packages)].toSorted()).toEqual([
      '@temporalio/common',
      '@temporalio/workflow',
      'long',
      'ms',
      'nexus-rpc',
    ]);
  });
});

const tool = (name: string, parameters: z.ZodObject, more: object = {}) =>
  defineTool({ name, description: `The tool ${name}.`, parameters, execute: () => `${name} done`, ...more });

/** Two builds of one agent: a tool renamed, one removed, one added, one with other arguments and a guard; all else is changed too. */
const builds = {
  before: defineAgent({
    name: 'built',
    instructions: 'First instructions.',
    model: 'none',
    tools: [
      tool('find', z.object({ what: z.string() }), { readOnly: true }),
      tool('drop', z.object({})),
      tool('write', z.object({ text: z.string() })),
      tool('stay', z.object({})),
    ],
  }),
  after: defineAgent({
    name: 'built',
    instructions: 'Second instructions.',
    model: 'none',
    tools: [
      tool('search', z.object({ what: z.string() }), { concurrencySafe: true }),
      tool('write', z.object({ path: z.string(), text: z.string() }), { destructive: true }),
      tool('stay', z.object({}), { callsPerTurn: 1, timeoutMs: 1_000 }),
      tool('add', z.object({})),
    ],
    limits: { maxIterations: 4, toolResultMaxChars: 500, maxParallel: 1 },
  }),
};

const calls = (...made: [name: string, args: object][]): RawReply => {
  const tool_calls = made.map(([name, args], i) => ({
    id: `c${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { body: completion({ content: null, tool_calls }, 'tool_calls') };
};
const says = (content: string): RawReply => ({ body: completion({ content }) });
interface Body {
  messages: Message[];
  tools?: { function: { name: string } }[];
}

test('a run goes on under a worker with another build, and its history replays', async () => {
  const runtime = await startRuntime({ agents: [builds.before], profile: { stream: false } });
  try {
    const everything = [
      ['find', { what: 'a' }],
      ['drop', {}],
      ['write', { text: 'a' }],
      ['stay', {}],
    ] satisfies [string, object][];
    const { model, endpoint } = runtime.playRaw(async (_, index) => {
      switch (index) {
        case 0:
          return calls(['find', { what: 'a' }], ['stay', {}]);
        case 1:
          await runtime.startWorker({ agents: [builds.after] });
          // Not awaited: it ends once this request, which it has in hand, is answered. What the reply calls, the other one runs.
          void runtime.worker.stop();
          return calls(...everything);
        case 2:
          return calls(['search', { what: 'a' }], ['add', {}], ['find', { what: 'b' }]);
        case 3:
          return says('First answer.');
        case 4:
          return calls(['stay', {}], ['stay', {}]);
        default:
          return says('Second answer.');
      }
    });
    const run = await runtime.client.start('built', 'Go.', {
      taskQueue: runtime.taskQueue,
      model,
      keepOpenMs: 60_000,
    });
    await until('the first turn is over', async () => (await run.state()).phase === 'idle');
    expect(await run.ask('Again.')).toMatchObject({ text: 'Second answer.', stopReason: 'completed' });
    await run.cancel();
    await run.result();

    const bodies = endpoint.requests.map(({ body }) => body as unknown as Body);
    const results = (index: number) => {
      const { messages } = bodies[index]!;
      const round = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
      return round.map(({ content }) => String(content));
    };
    expect(results(1)).toEqual(['find done', 'stay done']);
    expect(results(2)).toEqual([
      expect.stringMatching(/the tool find doesn't exist any more/),
      expect.stringMatching(/the tool drop doesn't exist any more/),
      expect.stringMatching(/write was not run: .*path/s),
      'stay done',
    ]);
    expect(results(3)).toEqual([
      'search done',
      'add done',
      expect.stringMatching(/find.*add.*search.*stay/s),
    ]);
    expect(results(5)).toEqual(['stay done', expect.stringMatching(/Error/)]);

    const named = ({ tools }: Body) =>
      (tools ?? []).map(({ function: { name } }) => name).filter((n) => n !== 'read_result');
    expect(named(bodies[1]!)).toEqual(['drop', 'find', 'stay', 'write']);
    expect(named(bodies[2]!)).toEqual(['add', 'search', 'stay', 'write']);
    // What a turn was opened with stays with it; the next one has the new instructions and limits.
    const fronts = bodies.map(({ messages }) => messages[0]?.content);
    expect(fronts).toEqual([
      ...Array(4).fill('First instructions.'),
      ...Array(2).fill('Second instructions.'),
    ]);

    const activities = activitiesOf(await eventsOf(run));
    expect(activities.map(({ type }) => type).filter((type) => !type.startsWith('turnloop.'))).toEqual([
      ...['find', 'stay'],
      ...everything.map(([name]) => name),
      ...['search', 'add', 'stay'],
    ]);
    await expectSound(run);
  } finally {
    await runtime.stop();
  }
});
