import type { AssistantMessage } from '../../src/contract.ts';
import { repair } from '../../src/prompt/repair.ts';
import { call, damaged, user } from './messages.ts';

const image = { type: 'image_url', image_url: { url: 'data:,' } };

/** The calls of an assistant message that was given these. */
const repairedCalls = (...calls: unknown[]) =>
  (repair(damaged({ role: 'assistant', content: 'text', tool_calls: calls }))[0] as AssistantMessage)
    .tool_calls;

test.each([
  ['a placeholder', { role: 'assistant', content: 'no reply', placeholder: true }],
  ['an assistant message with neither calls nor text', { role: 'assistant', content: ' \n', tool_calls: [] }],
  [
    'one whose only call has no name',
    { role: 'assistant', content: null, tool_calls: [call('1', '{}', '')] },
  ],
  ['a user message of white space', { role: 'user', content: ' \u3000\n' }],
  ['a user message with an empty list', { role: 'user', content: [] }],
  ['a user message with only blank text parts', { role: 'user', content: [{ type: 'text', text: ' ' }] }],
  ['a blank system message', { role: 'system', content: '' }],
  ['a message of an unknown role', { role: 'function', name: 'f', content: 'x' }],
  ['what is no message', null],
])('%s goes', (_, message) => {
  expect(repair(damaged(message, user('hi')))).toEqual([user('hi')]);
});

test('a list with only an image is content', () => {
  const message = { role: 'user', content: [image] };
  expect(repair(damaged(message))[0]).toBe(message);
});

test('blank text parts go, the others stay', () => {
  const content = [{ type: 'text', text: '' }, image];
  expect(repair(damaged({ role: 'user', content }))).toEqual([{ role: 'user', content: [image] }]);
});

test('nameless calls go, the others and the text stay', () => {
  const kept = call('2');
  expect(
    repairedCalls({ id: '1', type: 'function', function: { arguments: '{}' } }, kept, call('3', '{}', ' ')),
  ).toEqual([kept]);
});

test('when no call is left, the field goes too', () => {
  const [message] = repair(damaged({ role: 'assistant', content: 'text', tool_calls: [null] }));
  expect(message).toEqual({ role: 'assistant', content: 'text' });
});

test.each([
  ['{"cut":', '{}'],
  ['', '{}'],
  ['[1]', '{}'],
  ['null', '{}'],
  ['"{}"', '{}'],
  ['{ "kept" : 12345678901234567890 }', '{ "kept" : 12345678901234567890 }'],
  ['{"pair":"\\ud83d\\udc4d"}', '{"pair":"\\ud83d\\udc4d"}'],
  ['{"lone":"\\ud83d"}', '{"lone":"\ufffd"}'],
  ['{"nul":"\\u0000"}', '{"nul":"\ufffd"}'],
  ['{"raw":"\ud83d"}', '{"raw":"\ufffd"}'],
])('arguments %j are sent as %j', (given, sent) => {
  expect(repairedCalls(call('1', given))).toEqual([call('1', sent)]);
});

test('arguments that are an object are sent as its text, missing ones as an empty object', () => {
  expect(repairedCalls({ ...call('1'), function: { name: 'f', arguments: { n: 1 } } })).toEqual([
    call('1', '{"n":1}', 'f'),
  ]);
  expect(repairedCalls({ ...call('1'), function: { name: 'f' } })).toEqual([call('1', '{}', 'f')]);
});

test('arguments nested deeper than the stack are sent whole, or as an empty object where they would be rewritten', () => {
  const nested = (inner: string) => `${'{"a":'.repeat(50_000)}${inner}${'}'.repeat(50_000)}`;
  expect(repairedCalls(call('1', nested('1')))).toEqual([call('1', nested('1'))]);
  expect(repairedCalls(call('1', nested('"\\ud800"')))).toEqual([call('1', '{}')]);
});

test('opaque fields of messages and calls stay', () => {
  const broken = { ...call('1', '{'), extra_content: { google: { thought_signature: 's' } } };
  const [message] = repair(
    damaged({ role: 'assistant', content: null, tool_calls: [broken], reasoning_content: 'r' }),
  );
  expect(message).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [{ ...broken, function: { name: 'search', arguments: '{}' } }],
    reasoning_content: 'r',
  });
});

test('a refusal is the text of a message that has none', () => {
  const [message] = repair(damaged({ role: 'assistant', content: null, refusal: 'No.' }));
  expect(message).toEqual({ role: 'assistant', content: 'No.', refusal: 'No.' });
});

test('ill-formed Unicode becomes U+FFFD wherever it stands', () => {
  const [message] = repair(
    damaged({ role: 'assistant', content: 'a\ud800', reasoning_details: [{ text: '\0' }] }),
  );
  expect(message).toEqual({ role: 'assistant', content: 'a\ufffd', reasoning_details: [{ text: '\ufffd' }] });
});

test('a tool message without content says that it is empty', () => {
  expect(repair(damaged({ role: 'tool', tool_call_id: '1', content: '' }))).toEqual([
    { role: 'tool', tool_call_id: '1', content: '[empty result]' },
  ]);
});
