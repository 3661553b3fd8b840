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

test('an id that is used again in a later round stays', () => {
  const messages = [calling('a'), result('a'), calling('a'), result('a')];
  expect(uniqueCallIds(messages)).toEqual(messages);
});
