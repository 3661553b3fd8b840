import { findRefusal, type RefusalOptions } from '../../src/testing/find-refusal.ts';

type Wire = Record<string, unknown>;
const system = { role: 'system', content: 'Be brief.' };
const user = { role: 'user', content: 'hi' };
const answer = { role: 'assistant', content: 'Yes.' };
const call = (id: string, more: Wire = {}) => ({
  id,
  type: 'function',
  function: { name: 'add', arguments: '{}' },
  ...more,
});
const calling = (calls: Wire[], more: Wire = {}): Wire => ({
  role: 'assistant',
  content: '',
  tool_calls: calls,
  ...more,
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: '5' });
const ask = (messages: unknown, options: RefusalOptions = {}, more: Wire = {}) =>
  findRefusal({ model: 'm', messages, ...more }, options);

const everywhere: RefusalOptions[] = [
  {},
  { as: 'openai' },
  { as: 'deepseek' },
  { as: 'mistral' },
  { as: 'gemini' },
];

test.each<[string, unknown, RegExp]>([
  ['a body without messages', undefined, /messages is not a list with at least one message/],
  ['an empty list', [], /at least one message/],
  ['a message that is none', [null], /messages\[0\]: no object with a role/],
  ['calls that are no list', [user, { ...answer, tool_calls: {} }], /tool_calls is no list/],
  ['a call without a function', [user, calling([{ id: 'a' }])], /a tool call without a function/],
  ['calls of a user', [{ ...user, tool_calls: [call('a')] }], /belong to an assistant message/],
  ['nothing but a system message', [system], /nothing but a system message/],
  [
    'an orphan result',
    [user, result('a')],
    /messages\[1\] \(tool\): no call waits for this result, its id is a/,
  ],
  ['an unanswered call', [user, calling([call('a')])], /calls wait for results: a/],
  [
    'a user between call and result',
    [user, calling([call('a')]), user, result('a')],
    /still wait for results: a/,
  ],
  [
    'results in another order',
    [user, calling([call('a'), call('b')]), result('b'), result('a')],
    /a is next/,
  ],
  [
    'an id twice in a message',
    [user, calling([call('a'), call('a')]), result('a'), result('a')],
    /ids repeat: a, a/,
  ],
  [
    'an id that an earlier message used',
    [user, calling([call('a')]), result('a'), calling([call('a')]), result('a')],
    /messages\[3\] \(assistant\): call id a was used by an earlier message/,
  ],
  [
    'a lone surrogate',
    [{ role: 'user', content: 'a\ud800' }],
    /messages\[0\] \(user\): a text with a lone surrogate/,
  ],
  [
    'arguments that are no object',
    [user, calling([call('a', { function: { name: 'add', arguments: '[2, 3]' } })]), result('a')],
    /call a: arguments is not the text of a JSON object/,
  ],
  ['a blank user message', [{ role: 'user', content: ' \n' }], /messages\[0\] \(user\): content is blank/],
  ['a system message behind others', [user, system], /system message/],
])('every provider refuses %s', (_, messages, reason) => {
  for (const options of everywhere) expect(ask(messages, options)).toMatch(reason);
});

test('two system messages are refused by all but OpenAI', () => {
  for (const options of everywhere) {
    const refusal = ask([system, system, user], options);
    if (options.as === 'openai') expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(/messages\[1\] \(system\): a system message that is not the first/);
  }
});

test('a body without a model, or one that is no object, is refused', () => {
  expect(findRefusal({ messages: [user] })).toMatch(/model is missing/);
  expect(findRefusal([])).toMatch(/no JSON object/);
});

test('ill-formed Unicode in a tool is refused', () => {
  expect(ask([user], {}, { tools: [{ function: { description: '\udc00' } }] })).toMatch(
    /^tools: .*lone surrogate/,
  );
});

test('content beside calls may be absent, null or blank where nobody says otherwise', () => {
  for (const content of [undefined, null, ''])
    expect(ask([user, calling([call('a')], { content }), result('a')])).toBeUndefined();
});

describe('OpenAI', () => {
  const as = 'openai' as const;
  test('refuses the older name of the limit of tokens, and fields of other providers', () => {
    expect(ask([user], { as }, { max_tokens: 5 })).toMatch(/use max_completion_tokens/);
    const thinking = { ...answer, reasoning_content: 'hm' };
    expect(ask([user, thinking, user], { as })).toBe(
      'messages[1] (assistant): unknown field reasoning_content',
    );
    const signed = calling([call('a', { extra_content: {} })]);
    expect(ask([user, signed, result('a')], { as })).toMatch(/unknown field extra_content/);
  });
});

describe('DeepSeek', () => {
  const as = 'deepseek' as const;
  const issued = { signatures: new Set<string>(), reasoning: new Map([['a', 'I add.']]) };
  const round = (more: Wire) => [user, calling([call('a')], more), result('a')];

  test('refuses replies whose thinking did not come back', () => {
    expect(ask(round({}), { as })).toMatch(/messages\[1\] \(assistant\): reasoning_content is missing/);
    expect(ask([user, answer, user], { as })).toMatch(/reasoning_content is missing/);
    expect(ask(round({ reasoning_content: '' }), { as })).toBeUndefined();
  });

  test('refuses thinking that came back as another one', () => {
    expect(ask(round({ reasoning_content: '' }), { as, issued })).toMatch(/is not what the model wrote/);
    expect(ask(round({ reasoning_content: 'I add.' }), { as, issued })).toBeUndefined();
  });
});

describe('Mistral', () => {
  const as = 'mistral' as const;
  const round = [user, calling([call('a12345678')]), result('a12345678')];

  test('refuses a user message right behind a result', () => {
    expect(ask([...round, user], { as })).toMatch(
      /messages\[3\] \(user\): unexpected role 'user' after role 'tool'/,
    );
    expect(ask([...round, answer, user], { as })).toBeUndefined();
  });
  test('refuses ids that have not nine letters and digits', () => {
    expect(ask([user, calling([call('call_1')]), result('call_1')], { as })).toMatch(
      /call_1 must be a-z, A-Z, 0-9/,
    );
  });
  test('refuses a last message of the assistant', () => {
    expect(ask([user, answer], { as })).toMatch(/has to be of the user or a tool/);
  });
  test('refuses fields that it does not know', () => {
    expect(ask([user], { as }, { stream_options: {} })).toMatch(/not permitted/);
    expect(ask([user, { ...answer, reasoning_content: '' }, user], { as })).toMatch(/unknown field/);
  });
});

describe('Gemini', () => {
  const as = 'gemini' as const;
  const signed = (signature: string) =>
    call('a', { extra_content: { google: { thought_signature: signature } } });
  const round = (...calls: Wire[]): Wire[] => [
    { role: 'assistant', tool_calls: calls },
    ...calls.map(({ id }) => result(id as string)),
  ];
  const issued = { signatures: new Set(['s1']), reasoning: new Map<string, string>() };

  test('refuses a turn whose first call has lost its signature', () => {
    expect(ask([user, ...round(call('a'))], { as })).toMatch(
      /function call add is missing a thought_signature/,
    );
    expect(ask([user, ...round(signed('s1'), call('b'))], { as, issued })).toBeUndefined();
  });
  test('takes calls of earlier turns without one', () => {
    expect(ask([user, ...round(call('a')), answer, user], { as })).toBeUndefined();
  });
  test('refuses a signature that it never wrote, but for the word for calls of other models', () => {
    expect(ask([user, ...round(signed('s2'))], { as, issued })).toMatch(/thought_signature is not valid/);
    expect(ask([user, ...round(signed('skip_thought_signature_validator'))], { as, issued })).toBeUndefined();
  });
  test('refuses null content beside calls', () => {
    expect(ask([user, calling([signed('s1')], { content: null }), result('a')], { as })).toMatch(
      /leave it out/,
    );
  });
  test('refuses calls that follow no user message and no result', () => {
    expect(ask([user, answer, ...round(signed('s1'))], { as })).toMatch(/right behind a user message/);
  });
});
