import { streamedCalls } from '../../src/models/streamed-calls.ts';

/** Id, name and arguments of each call. */
function callsOf(pieces: Record<string, unknown>[]): unknown[] {
  const calls = streamedCalls();
  pieces.forEach((piece) => calls.add(piece));
  return calls.list().map((call) => {
    const fn = call['function'] as Record<string, unknown>;
    return [call['id'], fn['name'], fn['arguments']];
  });
}
const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  args?: unknown,
): Record<string, unknown> => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});

test('pieces of interleaved calls go by index', () => {
  expect(
    callsOf([
      piece(0, 'a', 'f', ''),
      piece(1, 'b', 'g', '{"x"'),
      piece(0, undefined, undefined, '{"y":1}'),
      piece(1, undefined, undefined, ':2}'),
    ]),
  ).toEqual([
    ['a', 'f', '{"y":1}'],
    ['b', 'g', '{"x":2}'],
  ]);
});

test('pieces without an index go to the call that is open, and a new name begins another', () => {
  expect(
    callsOf([
      piece(undefined, undefined, 'f', '{"x"'),
      piece(undefined, undefined, undefined, ':1}'),
      piece(undefined, undefined, 'f', '{"x":1}'),
    ]),
  ).toEqual([
    [undefined, 'f', '{"x":1}'],
    [undefined, 'f', '{"x":1}'],
  ]);
});

test('calls that all claim index 0 are told by their ids', () => {
  expect(callsOf([piece(0, 'a', 'f', '{}'), piece(0, 'b', 'f', '{}')])).toEqual([
    ['a', 'f', '{}'],
    ['b', 'f', '{}'],
  ]);
});

test('calls that all claim index 0 and have no ids are told by their names', () => {
  expect(callsOf([piece(0, undefined, 'f', '{"x":1}'), piece(0, undefined, 'g', '{"x":1}')])).toEqual([
    [undefined, 'f', '{"x":1}'],
    [undefined, 'g', '{"x":1}'],
  ]);
});

test('a call repeated with the same id, name and arguments is one call', () => {
  const repeated = piece(0, 'a', 'f', '{"x":1}');
  expect(callsOf([piece(0, 'a', 'f', '{"x"'), piece(0, undefined, undefined, ':1}'), repeated])).toEqual([
    ['a', 'f', '{"x":1}'],
  ]);
  expect(callsOf([repeated, { ...repeated, index: 1 }])).toEqual([['a', 'f', '{"x":1}']]);
  expect(callsOf([piece(undefined, 'a', 'f', '{}'), piece(undefined, 'a', 'f', '{}')])).toEqual([
    ['a', 'f', '{}'],
  ]);
});

test('the same arguments under different ids are two calls', () => {
  expect(callsOf([piece(0, 'a', 'f', '{}'), piece(1, 'b', 'f', '{}')])).toHaveLength(2);
});

test('one id with different arguments is two calls', () => {
  expect(
    callsOf([piece(undefined, 'a', 'f', '{"x":1}'), piece(undefined, 'a', 'f', '{"x":2}')]),
  ).toHaveLength(2);
});

test('arguments that are an object are whole', () => {
  expect(callsOf([piece(0, 'a', 'f', { x: 1 }), piece(0, 'a', 'f', '')])).toEqual([['a', 'f', { x: 1 }]]);
});

test('a name that is repeated with every piece is written once, one in pieces is joined', () => {
  expect(callsOf([piece(0, 'a', 'look_up', '{'), piece(0, 'a', 'look_up', '}')])).toEqual([
    ['a', 'look_up', '{}'],
  ]);
  expect(callsOf([piece(0, 'a', 'look', ''), piece(0, undefined, '_up', '{}')])).toEqual([
    ['a', 'look_up', '{}'],
  ]);
});

test('an id that changes with every piece begins no call', () => {
  expect(callsOf([piece(0, 'a1', 'f', '{"x"'), piece(0, 'a2', undefined, ':1}')])).toEqual([
    ['a1', 'f', '{"x":1}'],
  ]);
});

test('opaque fields of a call and of its function are kept', () => {
  const calls = streamedCalls();
  calls.add({
    index: 0,
    id: 'a',
    extra_content: { google: { thought_signature: 's' } },
    function: { name: 'f', arguments: '{', strict: true },
  });
  calls.add({
    index: 0,
    extra_content: { google: { thought_signature: 's' } },
    function: { arguments: '}' },
  });
  expect(calls.list()).toEqual([
    {
      id: 'a',
      type: 'function',
      extra_content: { google: { thought_signature: 's' } },
      function: { name: 'f', arguments: '{}', strict: true },
    },
  ]);
});
