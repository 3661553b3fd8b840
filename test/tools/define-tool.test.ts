import { z } from 'zod';
import { defineTool, isTool } from '../../src/tools/define-tool.ts';
import type { ToolSpec } from '../../src/tools/define.ts';
import { sampleTool } from './sample-tool.ts';

const define = (spec: object) => () => sampleTool(spec as Partial<ToolSpec>);
const withSchema = (parameters: unknown) => define({ parameters });

describe('defining a tool', () => {
  test('renders zod as JSON Schema: descriptions, defaults, bounds, no $schema', () => {
    const tool = defineTool({
      name: 'search_database',
      description: 'Runs a SELECT.',
      parameters: z.object({
        query: z.string().describe('SQL'),
        database: z.enum(['production', 'staging', 'analytics']),
        limit: z.int().default(100),
        ratio: z.number().min(0).optional(),
      }),
      execute: ({ query, limit }) => query.repeat(limit),
    });
    expect(tool.schema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: 'SQL' },
        database: { type: 'string', enum: ['production', 'staging', 'analytics'] },
        limit: { type: 'integer', default: 100 },
        ratio: { type: 'number', minimum: 0 },
      },
      required: ['query', 'database'],
    });
    expect(isTool(tool)).toBe(true);
    expect(isTool({ ...tool.spec })).toBe(false);
  });

  test('takes a JSON Schema and keeps a copy of it', () => {
    const schema = { $schema: 'x', type: 'object', properties: { a: { type: 'string' } } };
    const tool = sampleTool({ parameters: schema });
    schema.properties.a.type = 'number';
    expect(tool.schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  test.each([
    ['', 'name is ""'],
    ['1abc', 'name is "1abc"'],
    ['a b', 'name is "a b"'],
    ['a'.repeat(65), 'at most 64'],
    ['default', 'belong to the runtime'],
    ['turnloopCall', 'belong to the runtime'],
    [7, 'name is 7'],
  ])('refuses the name %j', (name, message) => {
    expect(define({ name })).toThrow(message);
  });

  test.each([
    [{ description: ' \n' }, /defineTool\("sample"\): description is .* Needed: text/],
    [{ execute: undefined }, /execute is missing. Needed: a function/],
    [{ readOnly: 'yes' }, /readOnly is "yes". Needed: true or false/],
    [{ timeoutMs: 0 }, /timeoutMs is 0. Needed: a whole number of milliseconds/],
    [{ timeoutMs: 3e9 }, /timeoutMs is 3000000000/],
    [{ attempts: 1.5 }, /attempts is 1.5. Needed: a whole number from 1/],
    [{ callsPerTurn: -1 }, /callsPerTurn is -1/],
    [{ taskQueue: ' ' }, /taskQueue is " "/],
    [{ approval: 'always' }, /approval is "always"/],
    [{ resources: ['a'] }, /resources is \["a"\]/],
    [{ result: { maxChars: 0 } }, /result is .*whole numbers from 1/],
    [{ result: { maxchars: 5 } }, /"maxchars" is not known. Did you mean "maxChars"/],
    [{ result: { fields: [] } }, /list of names as fields/],
    [{ readonly: true }, /unknown field "readonly". Did you mean "readOnly"\?/],
    [{ timeout: 5 }, /unknown field "timeout". Did you mean "timeoutMs"\?/],
  ])('refuses %j and says what is needed', (spec, message) => {
    expect(define(spec)).toThrow(message);
  });

  test.each([
    [undefined, /parameters is missing. Give a zod object/],
    [[], /parameters is \[\]/],
    [{ type: 'array' }, /parameters.type is "array"/],
    [{ properties: {} }, /parameters.type is missing/],
    [{ type: 'object', anyOf: [] }, /parameters.anyOf stands at the top level/],
    [{ type: 'object', properties: [] }, /parameters.properties is \[\]/],
    [{ type: 'object', properties: { a: 'string' } }, /parameters.properties.a is "string"/],
    [{ type: 'object', properties: { 'a b': {} } }, /has the name "a b"/],
    [
      { type: 'object', properties: { a: { type: 'array' } } },
      /parameters.properties.a is a list without items/,
    ],
    [{ type: 'object', required: ['a'] }, /required names "a"/],
    [{ type: 'object', properties: { a: { $ref: 'https://x/y' } } }, /Only references inside/],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/no' } } }, /not a valid JSON Schema/],
    [{ type: 'object', properties: { a: { type: 'text' } } }, /not a valid JSON Schema/],
    [z.string(), /zod schema of type string. Wrap it/],
    [{ _def: { typeName: 'ZodObject' } }, /schema of zod 3/],
    [z.object({ a: z.date() }), /can't be written as JSON Schema/],
    [z.object({ a: z.tuple([z.string()]) }), /properties.a is a tuple/],
    [
      z.object({ a: z.object({ b: z.array(z.tuple([z.string()])) }) }),
      /properties.a.properties.b.items is a tuple/,
    ],
  ])('refuses a schema that a provider would refuse (%#)', (parameters, message) => {
    expect(withSchema(parameters)).toThrow(message);
  });

  test('a schema with cycles is refused', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.self = schema;
    expect(withSchema(schema)).toThrow(/is no JSON/);
  });

  test('an old tuple of draft 7 is a tuple too', () => {
    expect(withSchema({ type: 'object', properties: { a: { type: 'array', items: [{}] } } })).toThrow(
      /is a tuple/,
    );
  });
});
