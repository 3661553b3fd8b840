import { readFinish } from '../../src/models/finish-reason.ts';

const plain = { refusal: false, calls: false };

test.each([
  ['stop', 'stop'],
  ['STOP', 'stop'],
  ['end_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['Max_Tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['max tokens', 'length'],
  ['SAFETY', 'content_filter'],
  ['content_filter', 'content_filter'],
  ['refusal', 'refusal'],
  ['error', 'error'],
])('%s is %s', (raw, finish) => {
  expect(readFinish(raw, plain)).toEqual({ finish });
});

test('an unknown reason is kept in its own words', () => {
  expect(readFinish('Eureka', plain)).toEqual({ finish: 'other', finishRaw: 'Eureka' });
});

test.each([null, undefined, '', 5])('without a reason (%j) the calls decide', (raw) => {
  expect(readFinish(raw, plain)).toEqual({ finish: 'stop' });
  expect(readFinish(raw, { refusal: false, calls: true })).toEqual({ finish: 'tool_calls' });
});

test('a refusal wins over any reason', () => {
  expect(readFinish('stop', { refusal: true, calls: true })).toEqual({ finish: 'refusal' });
});
