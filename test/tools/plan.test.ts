import { z } from 'zod';
import type { RawToolCall } from '../../src/models/model.ts';
import { planCalls } from '../../src/tools/plan.ts';
import type { Tool } from '../../src/tools/define.ts';
import { sampleTool } from './sample-tool.ts';

const call = (name: string, args: unknown, more: Partial<RawToolCall> = {}): RawToolCall => ({
  id: 'c1',
  name,
  arguments: args,
  extra: {},
  functionExtra: {},
  ...more,
});
const one = (raw: RawToolCall, ...catalog: Tool[]) => {
  const { toolCalls, plan, warnings } = planCalls([raw], catalog);
  return { wire: toolCalls[0]!, plan: plan[0]!, warnings };
};
const search = (spec = {}): Tool =>
  sampleTool({
    name: 'search',
    parameters: z.object({ q: z.string(), limit: z.int().default(10) }),
    ...spec,
  });

describe('planning a call', () => {
  test('holds nothing but the hash when everything is the default', () => {
    const { plan, wire } = one(call('search', '{"q":"x", "limit":5}'), search());
    expect(plan).toEqual({ hash: expect.stringMatching(/^[\w-]{16}$/) as string });
    expect(wire).toEqual({
      id: 'c1',
      type: 'function',
      function: { name: 'search', arguments: '{"q":"x", "limit":5}' },
    });
  });

  test('records the arguments only when they differ from those in the message', () => {
    expect(one(call('search', '{"q":"x"}'), search()).plan.args).toEqual({ q: 'x', limit: 10 });
    expect(one(call('search', '{"limit":5,"q":"x"}'), search()).plan.args).toBeUndefined();
    expect(one(call('search', '{"q":"x","limit":"5"}'), search()).plan.args).toEqual({ q: 'x', limit: 5 });
  });

  test('the hash is of tool and valid arguments, however they were written', () => {
    const hash = (name: string, args: unknown): string =>
      one(call(name, args), search(), search({ name: 'other' })).plan.hash;
    expect(hash('search', '{"limit":"10","q":"x"}')).toBe(hash('search', { q: 'x' }));
    expect(hash('search', '{"q":"y"}')).not.toBe(hash('search', '{"q":"x"}'));
    expect(hash('other', '{"q":"x"}')).not.toBe(hash('search', '{"q":"x"}'));
    expect(hash('search', '{"q":"x')).toBe(hash('search', '{"q":"x'));
    expect(hash('search', '{"q":"x')).not.toBe(hash('search', '{"q":"y'));
  });

  test('takes limits, queue and safety from the tool', () => {
    const spec = {
      readOnly: true,
      timeoutMs: 5,
      attempts: 2,
      taskQueue: 'gpu',
      callsPerTurn: 3,
      callsPerRun: 4,
    };
    expect(one(call('search', '{"q":"x","limit":1}'), search(spec)).plan).toMatchObject({
      safe: true,
      timeoutMs: 5,
      attempts: 2,
      taskQueue: 'gpu',
      callsPerTurn: 3,
      callsPerRun: 4,
    });
    const unsafe = one(call('search', '{"q":"x"}'), search({ readOnly: true, concurrencySafe: false })).plan;
    expect(unsafe.safe).toBeUndefined();
    expect(one(call('search', '{"q":"x"}'), search({ concurrencySafe: true })).plan.safe).toBe(true);
  });

  test('opaque fields of the provider stay on the call', () => {
    const raw = call('search', '{"q":"x"}', {
      extra: { extra_content: { google: 1 }, index: 2 },
      functionExtra: { strict: true },
    });
    expect(one(raw, search()).wire).toEqual({
      id: 'c1',
      type: 'function',
      extra_content: { google: 1 },
      index: 2,
      function: { name: 'search', arguments: '{"q":"x"}', strict: true },
    });
  });
});

describe('an unknown tool', () => {
  const catalog = [search(), sampleTool({ name: 'read_file' })];

  test('is answered with the available tools', () => {
    const { answer } = one(call('add', '{}'), ...catalog).plan;
    expect(answer).toMatchObject({ status: 'refused', class: 'general' });
    expect(answer?.text).toMatch(
      /^UnknownTool: there is no tool "add". Available tools: read_file, search.\nHint: /,
    );
  });

  test.each([['readFile'], ['READ-FILE'], ['functions read.file'.slice(10)]])(
    '%s gets one suggestion',
    (name) => {
      expect(one(call(name, '{}'), ...catalog).plan.answer?.text).toContain('Did you mean "read_file"?');
    },
  );

  test('gets no suggestion when two are alike', () => {
    const { answer } = one(call('readFile', '{}'), ...catalog, sampleTool({ name: 'read-file' })).plan;
    expect(answer?.text).not.toContain('Did you mean');
  });

  test('still goes out with valid arguments', () => {
    expect(one(call('add', '{"a":1,}'), ...catalog).wire.function.arguments).toBe('{"a":1}');
    expect(one(call('add', '{"a":'), ...catalog).wire.function.arguments).toBe('{}');
  });
});

describe('invalid arguments', () => {
  test('are answered with every problem and what the tool takes', () => {
    const { answer } = one(call('search', '{"limit":"many"}'), search()).plan;
    expect(answer?.text).toBe(
      'InvalidArguments: search was not run, its arguments are not valid:\n' +
        '- q: expected string, received nothing\n' +
        '- limit: expected integer, received "many"\n' +
        'Hint: search takes { q: string, limit?: integer }.',
    );
  });

  test('that were cut off go out as {} and stand shortened in the answer', () => {
    const { wire, plan } = one(call('search', `{"q":"${'x'.repeat(10_000)}`), search());
    expect(wire.function.arguments).toBe('{}');
    expect(plan.answer?.status).toBe('refused');
    expect(plan.answer?.text).toContain('{"q":"xxx');
    expect(plan.answer!.text.length).toBeLessThan(2_000);
  });

  test('are never shown to an approver and ask nothing of the tool', () => {
    const { plan } = one(
      call('search', '{"limit":1}'),
      search({
        callsPerTurn: 2,
        approval: () => {
          throw new Error('asked');
        },
      }),
    );
    expect(plan.approval).toBeUndefined();
    expect(plan.answer?.text).toMatch(/^InvalidArguments/);
    expect(plan.callsPerTurn).toBe(2);
  });
});

describe('approval', () => {
  const approvalOf = (spec: object) => one(call('search', '{"q":"x"}'), search(spec)).plan;

  test('is asked for by destructive tools, unless they say otherwise', () => {
    expect(approvalOf({ destructive: true }).approval).toBe(true);
    expect(approvalOf({ destructive: true, approval: false }).approval).toBeUndefined();
    expect(approvalOf({ approval: true }).approval).toBe(true);
    expect(approvalOf({}).approval).toBeUndefined();
  });

  test('is decided once, from the valid arguments', () => {
    const seen: unknown[] = [];
    const approval = (args: unknown): string => {
      seen.push(args);
      return 'writes to production';
    };
    expect(approvalOf({ approval }).approval).toBe('writes to production');
    expect(seen).toEqual([{ q: 'x', limit: 10 }]);
    expect(approvalOf({ approval: () => false }).approval).toBeUndefined();
  });

  test('is needed when the answer is unclear', () => {
    expect(approvalOf({ approval: () => '' }).approval).toBe(true);
    expect(approvalOf({ approval: () => Promise.resolve(false) }).approval).toBe(true);
  });

  test('that can not be decided refuses the call', () => {
    const { answer } = approvalOf({
      approval: () => {
        throw new Error('no policy');
      },
    });
    expect(answer).toMatchObject({ status: 'refused', class: 'general' });
    expect(answer?.text).toContain('no policy');
  });
});

describe('resources', () => {
  const planOf = (resources: unknown) =>
    one(call('search', '{"q":"x"}'), search({ readOnly: true, resources }));

  test('are recorded', () => {
    const { plan } = planOf(({ q }: { q: string }) => ({ reads: [q], writes: ['log'] }));
    expect(plan).toMatchObject({ reads: ['x'], writes: ['log'], safe: true });
  });

  test.each([
    [
      'throw',
      () => {
        throw new Error('bad luck');
      },
      /bad luck/,
    ],
    ['are no lists of names', () => ({ reads: 'all' }), /lists of names/],
    ['are nothing', () => undefined, /resources failed/],
  ])('that %s make the call run alone, with a warning', (_, resources, warning) => {
    const { plan, warnings } = planOf(resources);
    expect(plan.safe).toBeUndefined();
    expect(plan.reads).toBeUndefined();
    expect(plan.answer).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});

test('calls are planned in order, each on its own', () => {
  const { toolCalls, plan } = planCalls(
    [
      call('search', '{"q":"a"}', { id: 'a' }),
      call('nope', null, { id: 'b' }),
      call('search', {}, { id: 'c' }),
    ],
    [search()],
  );
  expect(toolCalls.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(plan.map(({ answer }) => answer?.status)).toEqual([undefined, 'refused', 'refused']);
});
