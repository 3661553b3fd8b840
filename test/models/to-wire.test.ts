import fc from 'fast-check';
import type { AssistantMessage, Message, OpenAIToolCall } from '../../src/contract.ts';
import { assembleStream } from '../../src/models/assemble-stream.ts';
import { defaultProfile } from '../../src/models/profile.ts';
import type { ProviderProfile } from '../../src/models/profile.ts';
import { readToolCalls } from '../../src/models/tool-calls.ts';
import { toWire } from '../../src/models/to-wire.ts';

const origin = { provider: 'here', model: 'm1' };
const tool = { name: 'f', description: 'd', parameters: { type: 'object' } };
const callOf = (id: string, fields: object = {}, inFunction: object = {}): OpenAIToolCall => ({
  ...fields,
  id,
  type: 'function',
  function: { ...inFunction, name: 'f', arguments: '{}' },
});
const calling = (ids: string[], fields: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => callOf(id)),
  ...fields,
});
const result = (id: string, content: Message['content'] = 'ok'): Message =>
  ({ role: 'tool', tool_call_id: id, content }) as Message;

function wire(
  messages: Message[],
  profile: Partial<ProviderProfile> = {},
  textOnly = false,
): Record<string, unknown> {
  return toWire({ model: 'm1', messages, tools: [tool], textOnly }, 'here', {
    ...defaultProfile,
    ...profile,
  });
}
const messagesOf = (messages: Message[], profile: Partial<ProviderProfile> = {}): Record<string, unknown>[] =>
  wire(messages, profile)['messages'] as Record<string, unknown>[];

describe('content of an assistant message with calls and no text', () => {
  test.each<[ProviderProfile['contentForToolOnly'], object]>([
    ['null', { content: null }],
    ['empty', { content: '' }],
    ['omit', {}],
  ])('is %s for a provider that wants it so', (contentForToolOnly, expected) => {
    for (const content of [null, '', ' \n']) {
      const { content: written, ...rest } = messagesOf([calling(['a'], { content })], {
        contentForToolOnly,
      })[0]!;
      expect('content' in expected ? { content: written } : rest).toEqual(
        'content' in expected ? expected : { role: 'assistant', tool_calls: [callOf('a')] },
      );
    }
  });

  test('is kept when there is text', () => {
    expect(
      messagesOf([calling(['a'], { content: 'Let me see' })], { contentForToolOnly: 'omit' })[0]?.['content'],
    ).toBe('Let me see');
  });
});

describe('call ids', () => {
  test('stay as their provider wrote them', () => {
    expect(messagesOf([calling(['call_xyz-1']), result('call_xyz-1')])).toMatchObject([
      { tool_calls: [{ id: 'call_xyz-1' }] },
      { tool_call_id: 'call_xyz-1' },
    ]);
  });

  test('become nine letters and digits on both sides, the same in every request, for a provider that wants that', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (ids) => {
        const round = [calling(ids), ...ids.map((id) => result(id))];
        const [assistant, ...results] = messagesOf(round, { toolCallIds: 'nine-alphanumeric' });
        const written = (assistant!['tool_calls'] as { id: string }[]).map((call) => call.id);
        expect(written.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))).toBe(true);
        expect(new Set(written).size).toBe(ids.length);
        expect(results.map((message) => message['tool_call_id'])).toEqual(written);
        expect(messagesOf(round, { toolCallIds: 'nine-alphanumeric' })[0]).toEqual(assistant);
      }),
    );
  });
});

describe('opaque fields', () => {
  const opaque = { reasoning_content: 'hm', reasoning_details: [{ type: 'x' }] };
  const message = calling(['a'], {
    ...opaque,
    origin,
    tool_calls: [callOf('a', { extra_content: { s: 1 } }, { sig: 's' })],
  });

  test('go back to the provider and model that wrote them, without our own', () => {
    expect(messagesOf([message])[0]).toEqual({
      role: 'assistant',
      content: null,
      ...opaque,
      tool_calls: [callOf('a', { extra_content: { s: 1 } }, { sig: 's' })],
    });
  });

  test.each([{ provider: 'there', model: 'm1' }, { provider: 'here', model: 'm2' }, undefined])(
    'go to nobody else (%j)',
    (from) => {
      const { origin: _origin, ...rest } = message;
      expect(
        messagesOf([from ? ({ ...rest, origin: from } as AssistantMessage) : (rest as AssistantMessage)])[0],
      ).toEqual({ role: 'assistant', content: null, tool_calls: [callOf('a')] });
    },
  );

  test('go to no provider that refuses them', () => {
    expect(messagesOf([message], { opaqueFields: 'drop' })[0]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [callOf('a')],
    });
  });

  test('that a provider requires are added to replies that lack them', () => {
    const profile = { requiredOnReplies: { reasoning_content: '' } };
    expect(messagesOf([calling(['a']), { role: 'assistant', content: 'hi' }], profile)).toMatchObject([
      { reasoning_content: '' },
      { content: 'hi', reasoning_content: '' },
    ]);
    expect(messagesOf([message], profile)[0]?.['reasoning_content']).toBe('hm');
  });

  test('that a provider requires are added to the first call of a message when it lacks them', () => {
    const extra_content = { google: { thought_signature: 'any' } };
    const profile = { requiredOnFirstCall: { extra_content } };
    expect(messagesOf([calling(['a', 'b'])], profile)[0]?.['tool_calls']).toEqual([
      callOf('a', { extra_content }),
      callOf('b'),
    ]);
    const own = { ...calling(['a']), origin, tool_calls: [callOf('a', { extra_content: 'own' })] };
    expect(messagesOf([own as unknown as AssistantMessage], profile)[0]?.['tool_calls']).toEqual([
      callOf('a', { extra_content: 'own' }),
    ]);
  });

  test('of a call come back exactly as they were streamed', () => {
    const name = fc
      .stringMatching(/^[a-z_]{3,12}$/)
      .filter((key) => !['id', 'type', 'function', 'index', 'name', 'arguments', '__proto__'].includes(key));
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.integer(),
      fc.boolean(),
      fc.dictionary(name, fc.string({ minLength: 1 }), { minKeys: 1 }),
    );
    const fields = fc.dictionary(name, value);
    fc.assert(
      fc.property(fields, fields, (extra, inFunction) => {
        const call = callOf('call_1', extra, inFunction);
        const stream = assembleStream({ provider: 'here', secrets: [] });
        stream.add(
          JSON.stringify({
            choices: [{ delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: 'tool_calls' }],
          }),
        );
        const [read] = readToolCalls(stream.result().message);
        const stored = {
          ...read!.extra,
          id: read!.id,
          type: 'function',
          function: { ...read!.functionExtra, name: read!.name, arguments: String(read!.arguments) },
        };
        const [sent] = messagesOf([calling([], { origin, tool_calls: [stored as OpenAIToolCall] })]);
        expect((sent!['tool_calls'] as unknown[])[0]).toEqual(JSON.parse(JSON.stringify(call)));
      }),
    );
  });
});

describe('images in tool messages', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
  const round: Message[] = [
    calling(['a', 'b']),
    result('a', [{ type: 'text', text: 'a chart' }, image]),
    result('b'),
  ];

  test('follow in one user message behind the round', () => {
    expect(messagesOf([...round, { role: 'assistant', content: 'nice' }]).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'a chart' },
      { role: 'tool', tool_call_id: 'b', content: 'ok' },
      { role: 'user', content: [{ type: 'text', text: 'Returned by tool call a:' }, image] },
      { role: 'assistant', content: 'nice' },
    ]);
  });

  test('join the user message that follows the round', () => {
    expect(messagesOf([...round, { role: 'user', content: 'and?' }]).slice(3)).toEqual([
      {
        role: 'user',
        content: [{ type: 'text', text: 'Returned by tool call a:' }, image, { type: 'text', text: 'and?' }],
      },
    ]);
  });

  test('stay where the provider takes them', () => {
    expect(messagesOf(round, { toolContent: 'parts' })[1]?.['content']).toEqual([
      { type: 'text', text: 'a chart' },
      image,
    ]);
    expect(messagesOf(round, { toolContent: 'parts' })).toHaveLength(3);
  });

  test('leave structured parts beside them as JSON text', () => {
    expect(
      messagesOf([
        calling(['a']),
        result('a', [
          { type: 'text', text: 'x' },
          { type: 'json', rows: 2 },
        ]),
      ])[1]?.['content'],
    ).toBe('x\n{"type":"json","rows":2}');
  });
});

test('system messages become one at the front, in their order, unless the provider takes several', () => {
  const messages: Message[] = [
    { role: 'system', content: 'one', name: 'instructions' },
    { role: 'user', content: 'hi' },
    { role: 'system', content: [{ type: 'text', text: 'two' }] },
  ];
  expect(messagesOf(messages)).toEqual([
    { role: 'system', content: 'one\n\ntwo' },
    { role: 'user', content: 'hi' },
  ]);
  expect(messagesOf(messages, { systemMessages: 'many' })).toHaveLength(3);
});

test('placeholders are not sent; a refusal is sent as text', () => {
  expect(
    messagesOf([
      { role: 'assistant', content: 'x', placeholder: true },
      { role: 'assistant', content: null, refusal: 'no' },
    ]),
  ).toEqual([{ role: 'assistant', content: 'no' }]);
});

test('a request for text only leaves the tools out, or forbids them where they must be there', () => {
  expect(wire([], {}, true)).not.toHaveProperty('tools');
  expect(wire([], { finalization: 'tool-choice-none' }, true)).toMatchObject({
    tools: [{ function: { name: 'f' } }],
    tool_choice: 'none',
  });
  expect(wire([])).not.toHaveProperty('tool_choice');
});

test('streaming, usage, the answer limit and more fields of the body are the profile’s matter', () => {
  expect(wire([])).toMatchObject({ model: 'm1', stream: true, stream_options: { include_usage: true } });
  expect(wire([], { stream: false })).not.toHaveProperty('stream_options');
  expect(wire([], { includeUsage: false })).not.toHaveProperty('stream_options');
  expect(
    wire([], { maxTokens: 5, maxTokensField: 'max_completion_tokens', body: { temperature: 0 } }),
  ).toMatchObject({ max_completion_tokens: 5, temperature: 0 });
});

describe('neighbours that a provider refuses', () => {
  const user: Message = { role: 'user', content: 'Wait.' };

  test('get a message between them: a user behind a result', () => {
    const round: Message[] = [user, calling(['a']), result('a')];
    const roles = (messages: Message[]) =>
      messagesOf(messages, { bridges: 'user-behind-tool' }).map(({ role }) => role);
    expect(roles([...round, user])).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(roles(round)).toEqual(['user', 'assistant', 'tool']);
  });

  test('get a message between them: calls at the start or behind an answer', () => {
    const answer: Message = { role: 'assistant', content: 'Yes.' };
    const roles = (messages: Message[]) =>
      messagesOf(messages, { bridges: 'calls-behind-assistant' }).map(({ role }) => role);
    const round: Message[] = [calling(['a']), result('a')];
    expect(roles([...round, answer, ...round, ...round])).toEqual(
      'user assistant tool assistant user assistant tool assistant tool'.split(' '),
    );
  });
});

test('an answer of another provider that is nothing but an image is sent as a word for it', () => {
  const drawn = {
    role: 'assistant',
    content: [{ type: 'image_url', image_url: { url: 'data:,' } }],
  } as Message;
  expect(messagesOf([drawn])[0]).toEqual({ role: 'assistant', content: '[image_url]' });
});
