import fc from 'fast-check';
import { newCallId, readToolCalls } from '../../src/models/tool-calls.ts';

const call = (id: unknown, name: unknown, args: unknown = '{}'): unknown => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const numbered = (): (() => string) => {
  let next = 0;
  return () => `made${++next}`;
};
const idsAndNames = (message: Record<string, unknown>): unknown[] =>
  readToolCalls(message, numbered()).map(({ id, name }) => [id, name]);

test('nameless calls are dropped: missing, blank and non-text names', () => {
  expect(
    idsAndNames({
      tool_calls: [call('a', undefined), call('b', ' '), call('c', 7), null, 'x', call('d', 'f')],
    }),
  ).toEqual([['d', 'f']]);
});

test('missing ids are made, repeated ones replaced, the first of them stays', () => {
  expect(
    idsAndNames({
      tool_calls: [call('a', 'f'), call('a', 'g'), call('', 'h'), call(null, 'i'), call(5, 'j')],
    }),
  ).toEqual([
    ['a', 'f'],
    ['made1', 'g'],
    ['made2', 'h'],
    ['made3', 'i'],
    ['5', 'j'],
  ]);
});

test('ids are unique in every reply, whatever ids came', () => {
  const id = fc.oneof(fc.constantFrom('a', 'b', '', null, 'made1', 'made2'), fc.string());
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      const calls = readToolCalls({ tool_calls: ids.map((one) => call(one, 'f')) }, numbered());
      expect(new Set(calls.map((one) => one.id)).size).toBe(ids.length);
    }),
  );
});

test('made ids differ from turn to turn', () => {
  expect(new Set(Array.from({ length: 1_000 }, newCallId)).size).toBe(1_000);
});

test('arguments are handed over as they came', () => {
  const given = ['{"a":1}', '{bro', '', { a: 1 }, null];
  const calls = readToolCalls({ tool_calls: given.map((args, index) => call(`${index}`, 'f', args)) });
  expect(calls.map((one) => one.arguments)).toEqual(given);
});

test('the format before tool_calls and calls without a function object are read', () => {
  expect(readToolCalls({ function_call: { name: 'f', arguments: '{}' } }, numbered())).toEqual([
    { id: 'made1', name: 'f', arguments: '{}', extra: {}, functionExtra: {} },
  ]);
  expect(readToolCalls({ tool_calls: [{ id: 'a', name: 'f', arguments: '{}' }] })).toEqual([
    { id: 'a', name: 'f', arguments: '{}', extra: {}, functionExtra: {} },
  ]);
});

test('opaque fields are kept beside the call and beside its function', () => {
  const raw = {
    id: 'a',
    index: 0,
    type: 'function',
    extra_content: { x: 1 },
    function: { name: 'f', arguments: '{}', signature: 's' },
  };
  expect(readToolCalls({ tool_calls: [raw] })[0]).toMatchObject({
    extra: { extra_content: { x: 1 } },
    functionExtra: { signature: 's' },
  });
});
