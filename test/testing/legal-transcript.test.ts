import { findIllegal } from '../../src/testing/legal-transcript.ts';
import { call, calling, damaged, result, user } from '../prompt/messages.ts';

const system = { role: 'system', content: 'Be brief.' };
const answer = { role: 'assistant', content: 'An answer.' };
const placeholder = { role: 'assistant', content: 'no reply', placeholder: true };
const withCall = (each: unknown) => ({ role: 'assistant', content: null, tool_calls: [each] });

const legal = damaged(system, user('hi'), calling('1', '2'), result('1'), result('2'), answer, user('and?'));

test('a healthy request has nothing illegal', () => {
  expect(findIllegal(legal)).toBeUndefined();
});

test.each([
  ['a result that no call waits for', [user('hi'), result('1')], /messages\[1\] \(tool\): no call waits/],
  ['a second result of a call', [calling('1'), result('1'), result('1')], /no call waits/],
  ['results out of call order', [calling('1', '2'), result('2'), result('1')], /result of 2, but 1 is next/],
  ['a call without a result in the middle', [calling('1'), user('hi')], /still wait for results: 1/],
  ['a call without a result at the end', [calling('1')], /the list ends, but calls wait/],
  ['a user message between results', [calling('1', '2'), result('1'), user('hi'), result('2')], /still wait/],
  ['ids that repeat in one message', [calling('1', '1'), result('1'), result('1')], /ids repeat/],
  ['an empty list of calls', [{ ...answer, tool_calls: [] }], /empty list/],
  ['a call without an id', [withCall(call(''))], /without an id/],
  ['a call without a name', [withCall(call('1', '{}', ' '))], /has no name/],
  ['a call of another type', [withCall({ ...call('1'), type: 'custom' })], /type is not function/],
  ['arguments that are broken JSON', [withCall(call('1', '{"a":'))], /not the text of a JSON object/],
  ['arguments that are a list', [withCall(call('1', '[]'))], /not the text of a JSON object/],
  [
    'arguments with a lone surrogate as an escape',
    [withCall(call('1', '{"a":["\\ud800"]}'))],
    /lone surrogate/,
  ],
  ['a lone surrogate in a text', [user('a\ud800')], /lone surrogate/],
  ['a lone surrogate in an opaque field', [{ ...answer, reasoning: { '\udc00': 1 } }], /lone surrogate/],
  ['NUL in a text', [user('\0')], /NUL/],
  ['a second system message', [system, system], /not the first message/],
  ['a system message in the middle', [user('hi'), system], /not the first message/],
  ['a blank user message', [user(' \n')], /blank/],
  ['an empty list as content', [{ role: 'user', content: [] }], /empty list/],
  ['a blank text part', [{ role: 'user', content: [{ type: 'text', text: '' }] }], /blank text part/],
  ['two user messages in a row', [user('a'), user('b')], /two user messages/],
  [
    'an assistant message with nothing in it',
    [{ role: 'assistant', content: null }],
    /neither text nor a list/,
  ],
  ['a placeholder', [placeholder], /placeholder/],
  ['an unknown role', [{ role: 'function', content: 'x' }], /unknown role/],
])('%s is illegal in a request', (_, messages, problem) => {
  expect(findIllegal(damaged(...messages))).toMatch(problem);
});

test('a provider that takes many system messages takes them at the front only', () => {
  expect(findIllegal(damaged(system, system, user('hi')), { systemMessages: 'many' })).toBeUndefined();
  expect(findIllegal(damaged(user('hi'), system), { systemMessages: 'many' })).toMatch(
    /behind other messages/,
  );
});

test.each([
  ['user messages of two turns in a row', [user('a'), user('b')]],
  ['newer instructions behind other messages', [system, user('hi'), answer, system]],
  ['placeholders', [user('hi'), placeholder]],
  ['a last round that waits for its last result', [calling('1', '2'), result('1')]],
])('a transcript may hold %s', (_, messages) => {
  expect(findIllegal(damaged(...messages), { as: 'transcript' })).toBeUndefined();
});

test.each([
  ['an unanswered call before anything else', [calling('1'), user('hi')], /still wait/],
  ['a result out of order', [calling('1', '2'), result('2')], /but 1 is next/],
])('a transcript may not hold %s', (_, messages, problem) => {
  expect(findIllegal(damaged(...messages), { as: 'transcript' })).toMatch(problem);
});
