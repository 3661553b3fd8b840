import { mergeOpaque, messageOpaque } from '../../src/models/opaque-fields.ts';

test('opaque fields of a message are those the format does not know; null and empty lists say nothing, empty text does', () => {
  const message = {
    role: 'assistant',
    content: 'x',
    tool_calls: [],
    refusal: null,
    annotations: [],
    origin: {},
    reasoning_content: '',
    reasoning: null,
    details: [],
  };
  expect(messageOpaque(message)).toEqual({ reasoning_content: '' });
});

test('texts of a stream are continued, labels replaced', () => {
  const merged = mergeOpaque(mergeOpaque({}, { reasoning: 'a', format: 'v1' }), {
    reasoning: 'b',
    format: 'v1',
  });
  expect(merged).toEqual({ reasoning: 'ab', format: 'v1' });
});

test('reasoning details of one index and type are continued, others appended', () => {
  const pieces = [
    { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I ' }] },
    { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'think' }] },
    { reasoning_details: [{ type: 'reasoning.text', index: 0, text: '', signature: 'sig' }] },
    { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'xyz' }] },
  ];
  expect(pieces.reduce<Record<string, unknown>>(mergeOpaque, {})).toEqual({
    reasoning_details: [
      { type: 'reasoning.text', index: 0, text: 'I think', signature: 'sig' },
      { type: 'reasoning.encrypted', index: 1, data: 'xyz' },
    ],
  });
});

test('an object that is repeated whole stays as it is', () => {
  const extra = { extra_content: { google: { thought_signature: 'abc' } } };
  expect(mergeOpaque(extra, structuredClone(extra))).toEqual(extra);
});

test('a field named __proto__ never becomes a prototype', () => {
  const merged = mergeOpaque({}, JSON.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>);
  expect((merged as { admin?: boolean }).admin).toBeUndefined();
});
