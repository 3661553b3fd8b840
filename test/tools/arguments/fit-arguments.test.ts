import fc from 'fast-check';
import { z } from 'zod';
import type { DraftObject } from '../../../src/tools/arguments/draft.ts';
import { fitArguments } from '../../../src/tools/arguments/fit-arguments.ts';
import { readArguments } from '../../../src/tools/arguments/read-arguments.ts';
import type { Tool, ToolParameters } from '../../../src/tools/define.ts';
import { sampleTool } from '../sample-tool.ts';
import { holds } from '../seed.ts';

const toolWith = (parameters: ToolParameters): Tool => sampleTool({ parameters });
const fit = (tool: Tool, raw: unknown) => fitArguments(tool, readArguments(raw).value!);
const args = (tool: Tool, raw: unknown) => {
  const fitted = fit(tool, raw);
  expect(fitted.problems).toBeUndefined();
  return fitted.args;
};
const problems = (tool: Tool, raw: unknown) => fit(tool, raw).problems?.join('\n');

const fields = {
  n: { type: 'integer' },
  x: { type: 'number' },
  b: { type: 'boolean' },
  s: { type: 'string' },
  o: { type: 'object', properties: { n: { type: 'integer' } } },
  l: { type: 'array', items: { type: 'integer' } },
};
const byJson = toolWith({ type: 'object', properties: fields });
const byZod = toolWith(
  z.object({
    n: z.int().optional(),
    x: z.number().optional(),
    b: z.boolean().optional(),
    s: z.string().optional(),
    o: z.object({ n: z.int().optional() }).optional(),
    l: z.array(z.int()).optional(),
  }),
);

describe.each([
  ['a JSON Schema', byJson],
  ['a zod object', byZod],
])('fitting arguments to %s', (_, tool) => {
  test.each([
    ['{"n":"5"}', { n: 5 }],
    ['{"n":"-12"}', { n: -12 }],
    ['{"n":5.0}', { n: 5 }],
    ['{"n":"5.0"}', { n: 5 }],
    ['{"x":"1.5"}', { x: 1.5 }],
    ['{"x":"1e3"}', { x: 1000 }],
    ['{"b":"true"}', { b: true }],
    ['{"b":"False"}', { b: false }],
    ['{"s":5}', { s: '5' }],
    ['{"s":1.50}', { s: '1.50' }],
    ['{"s":true}', { s: 'true' }],
    ['{"s":12345678901234567890}', { s: '12345678901234567890' }],
    ['{"o":"{\\"n\\":\\"7\\"}"}', { o: { n: 7 } }],
    ['{"l":"[1,2]"}', { l: [1, 2] }],
    ['{"l":["1",2]}', { l: [1, 2] }],
    ['{"s":null,"n":null}', {}],
    ['{"o":{"n":null}}', { o: {} }],
    ['{"arguments":{"n":"5"}}', { n: 5 }],
    ['{"arguments":"{\\"n\\":5}"}', { n: 5 }],
    ['{"arguments":{"arguments":{"n":5}}}', { n: 5 }],
    ['{"arguments":null}', {}],
  ])('%s fits', (raw, expected) => {
    expect(args(tool, raw)).toEqual(expected);
  });

  test.each([
    ['{"b":1}', 'b: expected boolean, received 1'],
    ['{"b":"yes"}', 'b: expected boolean, received "yes"'],
    ['{"n":5.5}', 'n: expected integer, received 5.5'],
    ['{"n":"5.5"}', 'n: expected integer, received "5.5"'],
    ['{"n":" 5 "}', 'n: expected integer, received " 5 "'],
    ['{"n":"0x10"}', 'n: expected integer, received "0x10"'],
    ['{"n":true}', 'n: expected integer, received true'],
    ['{"x":"0.12345678901234567890"}', 'x: expected number, received "0.12345678901234567890"'],
    ['{"s":["a"]}', 's: expected string, received ["a"]'],
    ['{"l":[1,"a"]}', 'l[1]: expected integer, received "a"'],
    ['{"l":[null]}', 'l[0]: expected integer, received null'],
    ['{"o":{"n":"a"}}', 'o.n: expected integer, received "a"'],
  ])('%s does not fit', (raw, expected) => {
    expect(problems(tool, raw)).toBe(expected);
  });

  test('an integer beyond 2^53 is refused with the advice to send it as text', () => {
    for (const raw of ['{"n":9007199254740993}', '{"x":-9007199254740993}', { n: 2 ** 60 }])
      expect(problems(tool, raw)).toMatch(/^[nx]: .*2\^53.*Send it as text/);
  });

  test('every problem is listed at once', () => {
    expect(problems(tool, '{"n":"a","b":1,"l":"x"}')?.split('\n')).toHaveLength(3);
  });

  test('a long list of problems is bounded', () => {
    const lines = fit(tool, { l: Array.from({ length: 100 }, () => 'x') }).problems!;
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 80 more');
  });

  test('texts become well-formed', () => {
    expect(args(tool, '{"s":"a\\ud800b"}')).toEqual({ s: 'a\ufffdb' });
  });

  test('the text of a number is no object', () => {
    expect(fit(tool, '{"o":"1.0"}').problems).toEqual(['o: expected object, received "1.0"']);
  });

  test('fitting again changes nothing', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constantFrom(null, '5', '1.0', 'true', 'null', '[1]', '{"n":"1"}'),
    );
    const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.constantFrom('n', 'z'), scalar));
    const raws = fc.dictionary(fc.constantFrom('n', 'x', 'b', 's', 'o', 'l', 'arguments', 'other'), value);
    holds(
      fc.property(raws, (raw) => {
        const first = fit(tool, JSON.stringify(raw));
        if (first.problems) return;
        expect(fitArguments(tool, first.args as DraftObject, 'history')).toEqual(first);
      }),
      1_000,
    );
  });
});

describe('parameters that are required', () => {
  const tool = toolWith(z.object({ query: z.string(), database: z.enum(['production', 'staging']) }));

  test('a missing one is named with what is expected', () => {
    expect(problems(tool, '{"database":"test"}')).toBe(
      'query: expected string, received nothing\ndatabase: expected one of "production", "staging", received "test"',
    );
  });

  test('null is not absent there', () => {
    expect(problems(tool, '{"query":null,"database":"staging"}')).toBe(
      'query: expected string, received null',
    );
  });

  test('a JSON Schema says the same', () => {
    const same = toolWith({
      type: 'object',
      properties: { query: { type: 'string' }, database: { enum: ['production', 'staging'] } },
      required: ['query', 'database'],
      additionalProperties: false,
    });
    expect(problems(same, '{"database":"test","x":1}')?.split('\n').sort()).toEqual([
      'database: expected one of "production", "staging", received "test"',
      'query: expected string, received nothing',
      'x: expected no field of this name, received 1',
    ]);
  });
});

describe('defaults', () => {
  test.each([
    ['a zod object', z.object({ limit: z.int().default(100), tags: z.array(z.string()).default(['a']) })],
    [
      'a JSON Schema',
      {
        type: 'object',
        properties: {
          limit: { type: 'integer', default: 100 },
          tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
        },
      },
    ],
  ])('of %s are filled in, for null too, and are no shared object', (_, parameters) => {
    const tool = toolWith(parameters);
    expect(args(tool, '{"limit":null}')).toEqual({ limit: 100, tags: ['a'] });
    (args(tool, {}).tags as string[]).push('b');
    expect(args(tool, {})).toEqual({ limit: 100, tags: ['a'] });
  });
});

describe('null', () => {
  test('stays where the schema allows it', () => {
    const tool = toolWith(z.object({ a: z.string().nullable().optional(), b: z.any() }));
    expect(args(tool, '{"a":null,"b":null}')).toEqual({ a: null, b: null });
  });
});

describe('the wrapper field `arguments`', () => {
  test('stays when the schema knows it or takes any field', () => {
    const known = toolWith(z.object({ arguments: z.object({ n: z.int() }) }));
    expect(args(known, '{"arguments":{"n":1}}')).toEqual({ arguments: { n: 1 } });
    const open = toolWith({ type: 'object', additionalProperties: true });
    expect(args(open, '{"arguments":{"n":1}}')).toEqual({ arguments: { n: 1 } });
  });

  test('is no wrapper beside other fields', () => {
    const tool = toolWith({
      type: 'object',
      properties: { n: { type: 'integer' } },
      additionalProperties: false,
    });
    expect(problems(tool, '{"arguments":{"n":1},"n":2}')).toMatch(/^arguments: expected no field/);
  });
});

describe('unions and references', () => {
  const shape = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('label'), radius: z.string() }),
  ]);

  test('the branch that is meant decides about casting', () => {
    const tool = toolWith(z.object({ shape }));
    expect(args(tool, '{"shape":{"kind":"circle","radius":"2"}}')).toEqual({
      shape: { kind: 'circle', radius: 2 },
    });
    expect(args(tool, '{"shape":{"kind":"label","radius":2}}')).toEqual({
      shape: { kind: 'label', radius: '2' },
    });
  });

  test('a value that some branch takes as it is stays', () => {
    const tool = toolWith(z.object({ id: z.union([z.string(), z.int()]) }));
    expect(args(tool, '{"id":"5"}')).toEqual({ id: '5' });
    expect(args(tool, '{"id":5}')).toEqual({ id: 5 });
  });

  test('recursive schemas are followed', () => {
    const tool = toolWith({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          properties: {
            value: { type: 'integer' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    });
    expect(args(tool, '{"tree":{"value":"1","children":[{"value":"2"}]}}')).toEqual({
      tree: { value: 1, children: [{ value: 2 }] },
    });
  });
});

describe('transforms of zod', () => {
  test('reach the function, while the arguments stay JSON that can be fitted again', () => {
    const tool = toolWith(z.object({ day: z.string().transform((text) => new Date(text)) }));
    const fitted = fit(tool, '{"day":"2026-01-02"}');
    expect(fitted).toMatchObject({ args: { day: '2026-01-02' }, output: { day: new Date('2026-01-02') } });
    expect(fitArguments(tool, fitted.args as DraftObject)).toEqual(fitted);
  });

  test('a check that throws is a problem and no crash', () => {
    const tool = toolWith(
      z.object({
        a: z.string().refine(() => {
          throw new Error('no luck');
        }),
      }),
    );
    expect(problems(tool, '{"a":"x"}')).toMatch(/own check failed: no luck/);
  });

  test('a message of the check itself is shown', () => {
    const tool = toolWith(
      z.object({
        n: z.int().min(1).max(10),
        url: z.string().refine((url) => url.startsWith('http'), 'must be a web address'),
      }),
    );
    expect(problems(tool, '{"n":11,"url":"x"}')).toBe(
      'n: expected number to be <=10, received 11\nurl: must be a web address, received "x"',
    );
  });
});
