import fc from 'fast-check';
import type { JsonObject, OpenAIToolCall, ToolCallRequest } from '../../src/contract.ts';
import { parseOpenAIToolCall, toOpenAIToolCall } from '../../src/tools/tool-call.ts';
import { holds } from './seed.ts';

// Through JSON once: it knows no -0.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as never);
const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'index'));
const object = fc.array(fc.tuple(names, json)).map((entries) => Object.fromEntries(entries) as JsonObject);
const without = (fields: JsonObject, ...taken: string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !taken.includes(name)));
const some = object.filter((fields) => Object.keys(fields).length > 0);
const beside = ['id', 'type', 'function', 'extra_content', 'provider_specific_fields'];
const inside = ['name', 'arguments', 'provider_specific_fields'];

describe('tool calls on the wire', () => {
  test('the arguments become text and the type is function', () => {
    expect(toOpenAIToolCall({ id: 'c1', name: 'add', arguments: { a: 1 } })).toEqual({
      id: 'c1',
      type: 'function',
      function: { name: 'add', arguments: '{"a":1}' },
    });
  });

  test('opaque fields stand where their provider put them', () => {
    const wire: OpenAIToolCall = {
      id: 'c1',
      type: 'function',
      index: 0,
      function: { name: 'add', arguments: '{}', provider_specific_fields: { inner: 1 }, strict: true },
      extra_content: { google: { thought_signature: 'sig' } },
      provider_specific_fields: { outer: 1 },
    };
    const call = parseOpenAIToolCall(wire);
    expect(call).toEqual({
      id: 'c1',
      name: 'add',
      arguments: {},
      extra_content: { google: { thought_signature: 'sig' } },
      provider_specific_fields: { outer: 1 },
      function_provider_specific_fields: { inner: 1 },
      extra: { index: 0 },
      function_extra: { strict: true },
    });
    expect(toOpenAIToolCall(call)).toEqual(wire);
  });

  test('any request is read back as it was', () => {
    const requests: fc.Arbitrary<ToolCallRequest> = fc.record(
      {
        id: fc.string(),
        name: fc.string(),
        arguments: object,
        extra_content: json,
        provider_specific_fields: object,
        function_provider_specific_fields: object,
        extra: some
          .map((fields) => without(fields, ...beside))
          .filter((fields) => Object.keys(fields).length > 0),
        function_extra: some
          .map((fields) => without(fields, ...inside))
          .filter((fields) => Object.keys(fields).length > 0),
      },
      { requiredKeys: ['id', 'name', 'arguments'] },
    );
    holds(
      fc.property(requests, (request) =>
        expect(parseOpenAIToolCall(toOpenAIToolCall(request))).toEqual(request),
      ),
    );
  });

  test('any call is written back as it came', () => {
    const calls = fc
      .record({
        id: fc.string(),
        name: fc.string(),
        args: object,
        beside: object,
        inside: object,
        shared: json,
      })
      .map(({ id, name, args, beside, inside, shared }) =>
        Object.fromEntries(
          Object.entries({
            ...without(beside, 'id', 'type', 'function'),
            ...Object.fromEntries([['provider_specific_fields', shared]]),
            id,
            type: 'function',
            function: { ...without(inside, 'name', 'arguments'), name, arguments: JSON.stringify(args) },
          }),
        ),
      );
    holds(
      fc.property(calls, (call) =>
        expect(toOpenAIToolCall(parseOpenAIToolCall(call as unknown as OpenAIToolCall))).toEqual(call),
      ),
    );
  });

  test('an opaque field never replaces a named one', () => {
    const call = {
      id: 'c1',
      name: 'add',
      arguments: {},
      extra: { id: 'other', type: 'x' },
      function_extra: { name: 'y' },
    };
    expect(toOpenAIToolCall(call)).toMatchObject({ id: 'c1', type: 'function', function: { name: 'add' } });
  });

  test('a field named __proto__ is data and changes no prototype', () => {
    const wire = JSON.parse(
      '{"id":"c","type":"function","__proto__":{"polluted":1},"function":{"name":"n","arguments":"{\\"__proto__\\":{\\"polluted\\":1}}"}}',
    ) as OpenAIToolCall;
    const back = toOpenAIToolCall(parseOpenAIToolCall(wire));
    expect(JSON.parse(JSON.stringify(back))).toEqual(wire);
    expect((back as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('arguments that are no object are an error that names the tool', () => {
    const call: OpenAIToolCall = { id: 'c', type: 'function', function: { name: 'add', arguments: '[1]' } };
    expect(() => parseOpenAIToolCall(call)).toThrow(/"add".*JSON object/);
  });
});
