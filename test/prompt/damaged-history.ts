import fc from 'fast-check';
import type { Message } from '../../src/contract.ts';
import { propertySeed } from '../setup/property-seed.ts';

/** Repeats a failed run: SEED=… as the failure printed it. */
export const runs = (numRuns: number): fc.Parameters<unknown> => ({
  numRuns,
  seed: propertySeed,
});

const text = fc.constantFrom(
  'hello',
  'two\n\nlines',
  '',
  '  \n\u3000',
  'half \ud83d',
  '\udc00',
  'nul \0',
  '👍',
);
const part = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text }) },
  {
    weight: 2,
    arbitrary: fc.constant({ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, 'text', 7, {}, { type: 'text' }, { type: 3 }) },
);
const content = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 3, arbitrary: fc.array(part, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, 7, {}) },
);
const id = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a_2', 'call_1', 'a\ud800', 'a\ufffd', '', ' ', null, undefined, 3),
  },
);
const argumentsOf = fc.oneof(
  fc.constantFrom('{}', '{ "n": 1 }', '{"big":12345678901234567890}', '{"pair":"\\ud83d\\udc4d"}'),
  fc.constantFrom(
    '',
    '[]',
    '"{}"',
    'null',
    '{"cut":',
    '{"lone":"\\ud800"}',
    '{"nul":"\\u0000"}',
    '{"raw":"\ud800"}',
  ),
  fc.constantFrom(null, undefined, 5, { given: 'as an object \udc00' }),
);
const call = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      id,
      type: fc.constantFrom('function', 'function', undefined),
      function: fc.record({
        name: fc.constantFrom('search', 'search', 'fetch', '', null),
        arguments: argumentsOf,
      }),
      extra_content: fc.constant({ google: { thought_signature: 'sig' } }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, 'call', {}, { id: 'a', type: 'custom', custom: { name: 'x' } }),
  },
);
const assistant = fc.record(
  {
    role: fc.constant('assistant'),
    content,
    tool_calls: fc.oneof(fc.array(call, { maxLength: 4 }), fc.constantFrom(null, undefined, {})),
    placeholder: fc.constantFrom(true, false),
    refusal: fc.constantFrom(null, 'I can’t help with that.'),
    reasoning_content: text,
  },
  { requiredKeys: ['role', 'content'] },
);
const tool = fc.record({ role: fc.constant('tool'), tool_call_id: id, content });
const user = fc.record(
  { role: fc.constant('user'), content, name: fc.constantFrom('ann', 'bob') },
  { requiredKeys: ['role', 'content'] },
);
const system = fc.record(
  { role: fc.constantFrom('system', 'developer'), content, name: fc.constantFrom('instructions', 'other') },
  { requiredKeys: ['role', 'content'] },
);
const nothing = fc.constantFrom<unknown[]>(
  null,
  'text',
  3,
  [],
  {},
  { role: 'function', name: 'f', content: 'old' },
);

/** Lists as a run's input may hold them, in spite of their type: every kind of damage that §6 and §8 of the rules name. */
export const damagedHistory = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: assistant },
    { weight: 6, arbitrary: tool },
    { weight: 3, arbitrary: user },
    { weight: 1, arbitrary: system },
    { weight: 1, arbitrary: nothing },
  ),
  { maxLength: 14 },
) as unknown as fc.Arbitrary<Message[]>;

/** What a healthy turn appends: rounds of calls with their results, then an answer. */
export const legalRounds = fc
  .array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), { maxLength: 3 })
  .map((rounds): Message[] => [
    ...rounds.flatMap((ids): Message[] => [
      {
        role: 'assistant',
        content: null,
        tool_calls: ids.map((each) => ({
          id: each,
          type: 'function',
          function: { name: 'search', arguments: '{"q":1}' },
        })),
      },
      ...ids.map((each): Message => ({ role: 'tool', tool_call_id: each, content: `result of ${each}` })),
    ]),
    { role: 'assistant', content: 'The answer.' },
  ]);
