import { uniqueCallIds } from '../../src/prompt/unique-call-ids.ts';
import { calling, result } from './messages.ts';

test('the n-th result of a repeated id goes to its n-th call', () => {
  expect(
    uniqueCallIds([calling('a', 'b', 'a'), result('a', 'first'), result('b'), result('a', 'second')]),
  ).toEqual([calling('a', 'b', 'a_2'), result('a', 'first'), result('b'), result('a_2', 'second')]);
});

test('a new id takes neither that of another call nor that of a stray result', () => {
  const [assistant] = uniqueCallIds([calling('a', 'a', 'a_2'), result('a'), result('a_3')]);
  expect(assistant).toEqual(calling('a', 'a_4', 'a_2'));
});

test('calls and results without an id are paired in their order', () => {
  expect(uniqueCallIds([calling('', ''), result('', 'first'), result('', 'second')])).toEqual([
    calling('call_1', 'call_2'),
    result('call_1', 'first'),
    result('call_2', 'second'),
  ]);
});

test('an id that an earlier round used is renamed in the later one, with its result', () => {
  expect(
    uniqueCallIds([
      calling('a'),
      result('a', 'first'),
      calling('b', 'a'),
      result('b'),
      result('a', 'second'),
    ]),
  ).toEqual([calling('a'), result('a', 'first'), calling('b', 'a_2'), result('b'), result('a_2', 'second')]);
});

test('a new id is none that an earlier round was given', () => {
  const again = [calling('a'), result('a')];
  const ids = uniqueCallIds([...again, ...again, ...again]).flatMap((message) =>
    message.role === 'tool' ? message.tool_call_id : [],
  );
  expect(ids).toEqual(['a', 'a_2', 'a_3']);
});
