import { LLMock } from '@copilotkit/aimock';
import type { AssistantMessage } from '../../src/contract.ts';
import type { ModelAnswer, ModelClient, ModelRequest } from '../../src/models/model.ts';
import { openAIModels } from '../../src/models/openai.ts';
import type { ProviderProfile } from '../../src/models/profile.ts';
import { chunk, completion, eventReply, events, rawEndpoint } from '../../src/testing/raw-endpoint.ts';
import type { RawEndpoint, RawReply } from '../../src/testing/raw-endpoint.ts';
import { modelContract, requestOf } from './model-contract.ts';

const clientAt =
  (profile: Partial<ProviderProfile> = {}) =>
  (rootUrl: string): ModelClient =>
    openAIModels({ provider: 'test', baseURL: `${rootUrl}/v1`, apiKey: 'sk-canary-1234567890', profile });

modelContract('an OpenAI-compatible client that streams', clientAt());
modelContract('an OpenAI-compatible client that does not stream', clientAt({ stream: false }));

describe('an OpenAI-compatible client', () => {
  const server = new LLMock({ port: 0 });
  let mounts = 0;
  beforeAll(async () => {
    await server.start();
  });
  afterAll(() => server.stop());

  function serve(
    replies: Parameters<typeof rawEndpoint>[0],
    profile: Partial<ProviderProfile> = {},
  ): { endpoint: RawEndpoint; client: ModelClient } {
    const endpoint = rawEndpoint(replies);
    const path = `/raw${++mounts}`;
    server.mount(path, endpoint);
    return { endpoint, client: clientAt(profile)(`${server.url}${path}`) };
  }
  const answerTo = (reply: RawReply, request: Partial<ModelRequest> = {}): Promise<ModelAnswer> =>
    serve([reply]).client.complete(requestOf(request));

  const toolCall = (fields: Record<string, unknown>): Record<string, unknown> => ({ tool_calls: [fields] });
  const bothWays = (message: Record<string, unknown>, finish: string): [string, RawReply][] => [
    ['streamed', eventReply([chunk(message), chunk({}, finish)])],
    ['whole', { body: completion(message, finish) }],
  ];

  test.each(
    bothWays(
      {
        tool_calls: [
          { function: { name: 'f', arguments: '{}' } },
          { id: '', function: { name: 'g', arguments: '{}' } },
        ],
      },
      'tool_calls',
    ),
  )('gives calls without ids ids of their own (%s)', async (_way, reply) => {
    const { calls } = await answerTo(reply);
    expect(calls.map((call) => call.name)).toEqual(['f', 'g']);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
    expect(calls.every((call) => /^\w{9,}$/.test(call.id))).toBe(true);
  });

  test('runs calls that come with finish reason stop', async () => {
    const answer = await answerTo({
      body: completion(toolCall({ id: 'a', function: { name: 'f', arguments: '{}' } }), 'stop'),
    });
    expect(answer).toMatchObject({ finish: 'stop', calls: [{ id: 'a' }] });
  });

  test.each(
    bothWays(
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: { city: 'Rom' } } }] },
      'tool_calls',
    ),
  )('hands over arguments that come as an object as they are (%s)', async (_way, reply) => {
    expect((await answerTo(reply)).calls[0]?.arguments).toEqual({ city: 'Rom' });
  });

  test.each(bothWays({ content: 'part \uD83D', reasoning_content: 'a\uDC00' }, 'stop'))(
    'replaces lone surrogates in what a model writes (%s)',
    async (_way, reply) => {
      expect((await answerTo(reply)).message).toMatchObject({
        content: 'part \uFFFD',
        reasoning_content: 'a\uFFFD',
      });
    },
  );

  test('splits thinking off on every kind of request, and shows only the answer while it streams', async () => {
    const pieces = ['<th', 'ink>secret', ' plan</thi', 'nk>\n', 'Hello ', 'world'];
    const shown: string[] = [];
    const answer = await answerTo(
      eventReply([...pieces.map((content) => chunk({ content })), chunk({}, 'stop')]),
      {
        textOnly: true,
        onText: (delta) => shown.push(delta),
      },
    );
    expect(answer).toMatchObject({ message: { content: 'Hello world' }, thinking: 'secret plan' });
    expect(shown.join('')).toBe('Hello world');
  });

  test('takes a stream that ends with [DONE] but without a finish reason as complete', async () => {
    expect(await answerTo(eventReply([chunk({ content: 'hi' })]))).toMatchObject({
      message: { content: 'hi' },
      finish: 'stop',
    });
  });

  test('takes a stream that ends with a closing usage chunk as complete', async () => {
    const reply = eventReply(
      [chunk({ content: 'hi' }), { choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } }],
      {
        done: false,
      },
    );
    const answer = await answerTo(reply);
    expect(answer.usage).toMatchObject({ promptTokens: 5, completionTokens: 1, estimated: false });
  });

  test.each(['close', 'cut'] as const)(
    'discards the pieces of a stream that just stops (%s)',
    async (end) => {
      const reply = eventReply([chunk({ content: 'half an ans' })], { done: false, end });
      await expect(answerTo(reply)).rejects.toMatchObject({ type: 'stream_cut', transient: true });
    },
  );

  test('never hands over a call whose stream was cut', async () => {
    const piece = chunk(toolCall({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }));
    await expect(answerTo(eventReply([piece], { done: false, end: 'cut' }))).rejects.toMatchObject({
      type: 'stream_cut',
    });
  });

  test('keeps an answer that was whole when its connection broke', async () => {
    const reply = eventReply([chunk({ content: 'whole' }, 'stop')], { done: false, end: 'cut' });
    expect((await answerTo(reply)).message.content).toBe('whole');
  });

  test('bounds a stream that stalls by the time allowed', async () => {
    const reply = eventReply([chunk({ content: 'half' })], { done: false, end: 'hang' });
    await expect(answerTo(reply, { timeoutMs: 100 })).rejects.toMatchObject({
      type: 'timeout',
      transient: true,
    });
  });

  test('bounds an error whose body never ends by the time allowed', async () => {
    const reply: RawReply = { status: 500, body: ['{"error":'], end: 'hang' };
    await expect(answerTo(reply, { timeoutMs: 100 })).rejects.toMatchObject({
      type: 'timeout',
      transient: true,
    });
  });

  test('keeps the text that had arrived when the signal fires', async () => {
    const { endpoint, client } = serve([
      eventReply([chunk({ content: 'partial te' })], { done: false, end: 'hang' }),
    ]);
    const control = new AbortController();
    const answer = await client.complete(
      requestOf({ signal: control.signal, onText: () => control.abort() }),
    );
    expect(answer).toMatchObject({
      interrupted: true,
      message: { content: 'partial te' },
      calls: [],
      finish: 'stop',
    });
    expect(answer.usage).toMatchObject({ requests: 1, estimated: true });
    await endpoint.abandoned(1);
  });

  test('reads a whole completion where a stream was asked for', async () => {
    expect((await answerTo({ body: completion({ content: 'whole' }) })).message.content).toBe('whole');
  });

  test('reads a stream where none was asked for, under any content type', async () => {
    for (const type of ['text/event-stream', 'application/json', 'text/plain']) {
      const body = events([chunk({ content: 'streamed' }, 'stop')]);
      const { client } = serve([{ headers: { 'content-type': type }, body }], { stream: false });
      expect((await client.complete(requestOf())).message.content).toBe('streamed');
    }
  });

  test.each<[string, RawReply]>([
    ['HTML', { headers: { 'content-type': 'text/html' }, body: '<html><body>Welcome</body></html>' }],
    [
      'HTML under the type of a stream',
      { headers: { 'content-type': 'text/event-stream' }, body: '<html></html>' },
    ],
    ['an empty body', { headers: { 'content-type': 'application/json' }, body: '' }],
    ['an empty stream', { headers: { 'content-type': 'text/event-stream' }, body: '' }],
    ['a stream without choices', eventReply([])],
    ['no choices', { body: { object: 'chat.completion', choices: [] } }],
    ['no message', { body: { choices: [{ index: 0, finish_reason: 'stop' }] } }],
    ['an unknown error', { body: { error: { message: 'hm' } } }],
  ])('takes status 200 with %s as a bad reply, to be tried three times', async (_what, reply) => {
    await expect(answerTo(reply)).rejects.toMatchObject({ type: 'bad_reply', transient: true, triesMax: 3 });
  });

  test.each<[string, RawReply, Record<string, unknown>]>([
    [
      'a number',
      { body: { error: { code: 429, message: 'slow' } } },
      { type: 'rate_limited', transient: true, status: 429 },
    ],
    [
      'a word',
      { body: { error: { code: 'insufficient_quota', message: 'x' } } },
      { type: 'insufficient_quota', transient: false },
    ],
    [
      'one in a stream',
      eventReply([chunk({ content: 'a' }), { error: { code: 502, message: 'x' } }]),
      { type: 'server_error', transient: true },
    ],
    [
      'one of a choice',
      { body: { choices: [{ error: { code: 400, message: 'x' } }] } },
      { type: 'model_refused', transient: false },
    ],
  ])('goes by the code of an error in a reply with status 200: %s', async (_what, reply, error) => {
    await expect(answerTo(reply)).rejects.toMatchObject(error);
  });

  test('takes finish reason error as a transient failure', async () => {
    await expect(answerTo({ body: completion({ content: 'x' }, 'error') })).rejects.toMatchObject({
      type: 'finish_error',
      transient: true,
    });
  });

  test('tries a call that the model could not write three times', async () => {
    await expect(
      answerTo({ body: completion({ content: null }, 'MALFORMED_FUNCTION_CALL') }),
    ).rejects.toMatchObject({
      type: 'finish_error',
      triesMax: 3,
    });
  });

  test('takes a refusal field as a refusal, whatever the finish reason says', async () => {
    const answer = await answerTo(
      eventReply([chunk({ refusal: 'I can’t ' }), chunk({ refusal: 'do that' }, 'stop')]),
    );
    expect(answer).toMatchObject({
      finish: 'refusal',
      message: { content: 'I can’t do that', refusal: 'I can’t do that' },
    });
  });

  test('never shows the API key in an error', async () => {
    const body = {
      error: { message: 'Incorrect key: sk-canary-1234567890, header Bearer sk-canary-1234567890' },
    };
    const error = await answerTo({ status: 401, body }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ type: 'unauthorized' });
    expect(JSON.stringify([(error as Error).message, (error as Error).stack, error])).not.toContain('canary');
  });

  test('sends the key only where one is given, and none of the environment', async () => {
    const before = process.env['OPENAI_API_KEY'];
    process.env['OPENAI_API_KEY'] = 'sk-of-somebody-else';
    try {
      const { endpoint, client } = serve(() => ({ body: completion({ content: 'ok' }) }));
      await client.complete(requestOf());
      const path = `${server.url}/raw${mounts}/v1`;
      await openAIModels({ provider: 'local', baseURL: path, headers: { 'x-team': 'a' } }).complete(
        requestOf(),
      );
      expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer sk-canary-1234567890');
      expect(endpoint.requests[1]?.headers).toMatchObject({ 'x-team': 'a' });
      expect(endpoint.requests[1]?.headers.authorization).toBeUndefined();
    } finally {
      if (before === undefined) delete process.env['OPENAI_API_KEY'];
      else process.env['OPENAI_API_KEY'] = before;
    }
  });

  test('refuses a base URL that is none', () => {
    expect(() => openAIModels({ provider: 'x', baseURL: 'localhost:11434' })).toThrow(
      '"localhost:11434" of model provider "x"',
    );
  });

  /** An endpoint that, like DeepSeek and Gemini, wants back exactly what it wrote. */
  const strict =
    (field: (message: Record<string, unknown>) => unknown, wanted: unknown) =>
    (request: { body: Record<string, unknown> }): RawReply => {
      const written = (request.body['messages'] as Record<string, unknown>[]).find(
        (message) => message['role'] === 'assistant',
      );
      return written && JSON.stringify(field(written)) !== JSON.stringify(wanted)
        ? { status: 400, body: { error: { message: 'must be passed back' } } }
        : { body: completion({ content: 'thanks' }) };
    };
  const round = (answer: ModelAnswer): ModelRequest['messages'] => [
    { role: 'user', content: 'go' },
    {
      ...answer.message,
      tool_calls: answer.calls.map((call) => ({
        ...call.extra,
        id: call.id,
        type: 'function',
        function: { ...call.functionExtra, name: call.name, arguments: String(call.arguments) },
      })),
    } as AssistantMessage,
    ...answer.calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: 'ok' })),
  ];

  test('sends reasoning_content of a tool turn back to its provider, put together from its pieces', async () => {
    const answer = await answerTo(
      eventReply([
        chunk({ reasoning_content: 'first this, ' }),
        chunk({ reasoning_content: 'then that' }),
        chunk(toolCall({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), 'tool_calls'),
      ]),
    );
    expect(answer.thinking).toBe('first this, then that');
    const { client } = serve(strict((message) => message['reasoning_content'], 'first this, then that'));
    expect((await client.complete(requestOf({ messages: round(answer) }))).message.content).toBe('thanks');
    await expect(
      client.complete(requestOf({ messages: round(answer), model: 'another' })),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('sends the extra_content of a call back with that call', async () => {
    const extra = { google: { thought_signature: 'c2lnbmF0dXJl' } };
    const answer = await answerTo(
      eventReply([
        chunk(
          toolCall({ index: 0, id: 'a', extra_content: extra, function: { name: 'f', arguments: '{}' } }),
          'tool_calls',
        ),
      ]),
    );
    const { client } = serve(
      strict((message) => (message['tool_calls'] as { extra_content: unknown }[])[0]?.extra_content, extra),
    );
    expect((await client.complete(requestOf({ messages: round(answer) }))).message.content).toBe('thanks');
  });
});
