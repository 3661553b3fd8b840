import { LLMock } from '@copilotkit/aimock';
import type { ModelClient, ModelRequest } from '../../src/models/model.ts';
import { rawEndpoint } from '../../src/testing/raw-endpoint.ts';

/** A request with one user message. */
export function requestOf(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'test-model',
    messages: [{ role: 'user', content: 'hello' }],
    tools: [],
    textOnly: false,
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    ...overrides,
  };
}

const weather = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

/**
 * What every ModelClient does, over real HTTP. `make` gives a client for the server at a root URL (without /v1).
 */
export function modelContract(name: string, make: (rootUrl: string) => ModelClient): void {
  describe(`${name} keeps the contract of model clients`, () => {
    const server = new LLMock({ port: 0 });
    let client: ModelClient;
    beforeAll(async () => {
      await server.start();
      client = make(server.url);
    });
    afterAll(() => server.stop());
    beforeEach(() => {
      server.clearFixtures();
      server.clearRequests();
    });

    test('answers with text, its origin and usage', async () => {
      server.onMessage('hello', {
        content: 'Grüße 👋 of the day',
        usage: { prompt_tokens: 11, completion_tokens: 7 },
      });
      const answer = await client.complete(requestOf());
      expect(answer.message).toEqual({
        role: 'assistant',
        content: 'Grüße 👋 of the day',
        origin: { provider: client.provider, model: 'test-model' },
      });
      expect(answer.calls).toEqual([]);
      expect(answer.finish).toBe('stop');
      expect(answer.interrupted).toBeUndefined();
      expect(answer.usage).toMatchObject({ requests: 1, failedRequests: 0 });
      expect(answer.usage.promptTokens).toBeGreaterThan(0);
    });

    test('gives the calls apart from the message, in order, with their ids', async () => {
      server.onMessage('hello', {
        toolCalls: [
          { id: 'call_a', name: 'get_weather', arguments: '{"city":"Köln"}' },
          { id: 'call_b', name: 'get_weather', arguments: '{"city":"Rom"}' },
        ],
      });
      const answer = await client.complete(requestOf({ tools: [weather] }));
      expect(answer.message.tool_calls).toBeUndefined();
      expect(
        answer.calls.map(({ id, name, arguments: args }) => [id, name, JSON.parse(args as string)]),
      ).toEqual([
        ['call_a', 'get_weather', { city: 'Köln' }],
        ['call_b', 'get_weather', { city: 'Rom' }],
      ]);
      expect(answer.finish).toBe('tool_calls');
    });

    test('reports an answer that was cut by length', async () => {
      server.onMessage('hello', { content: 'once upon a', finishReason: 'length' });
      expect((await client.complete(requestOf())).finish).toBe('length');
    });

    test('makes one HTTP request, also when that fails', async () => {
      server.onMessage('hello', { error: { message: 'slow down' }, status: 429, retryAfter: 7 });
      await expect(client.complete(requestOf())).rejects.toMatchObject({
        name: 'ModelError',
        type: 'rate_limited',
        transient: true,
        status: 429,
        retryAfterMs: 7_000,
      });
      expect(server.getRequests()).toHaveLength(1);
    });

    test.each([
      [500, 'server_error', true],
      [503, 'overloaded', true],
      [401, 'unauthorized', false],
      [400, 'model_refused', false],
    ])('rejects status %i as %s', async (status, type, transient) => {
      server.onMessage('hello', { error: { message: 'no' }, status });
      await expect(client.complete(requestOf())).rejects.toMatchObject({
        name: 'ModelError',
        type,
        transient,
        status,
      });
    });

    test('ends the HTTP request at once when the signal fires', async () => {
      const hanging = rawEndpoint(() => ({ end: 'hang' }));
      server.mount('/hang', hanging);
      const control = new AbortController();
      const answering = make(`${server.url}/hang`).complete(requestOf({ signal: control.signal }));
      await hanging.received(1);
      control.abort();
      expect(await answering).toMatchObject({ interrupted: true, calls: [], message: { content: null } });
      await hanging.abandoned(1);
    });

    test('makes no request when the signal has already fired', async () => {
      const answer = await client.complete(requestOf({ signal: AbortSignal.abort() }));
      expect(answer).toMatchObject({ interrupted: true, calls: [], usage: { requests: 0 } });
      expect(server.getRequests()).toHaveLength(0);
    });

    test('gives up a silent provider after its time as a transient timeout', async () => {
      const silent = rawEndpoint(() => ({ end: 'hang' }));
      server.mount('/silent', silent);
      const answering = make(`${server.url}/silent`).complete(requestOf({ timeoutMs: 50 }));
      await expect(answering).rejects.toMatchObject({ name: 'ModelError', type: 'timeout', transient: true });
    });

    test('rejects a connection that nobody accepts as a transient network error', async () => {
      // Port 1 is reserved; nothing listens there.
      await expect(make('http://127.0.0.1:1').complete(requestOf())).rejects.toMatchObject({
        name: 'ModelError',
        type: 'network',
        transient: true,
      });
    });

    test('sends well-formed Unicode whatever the transcript holds', async () => {
      server.onMessage('broken', { content: 'fine' });
      const messages = [{ role: 'user' as const, content: 'broken \uD83D and \0' }];
      await client.complete(requestOf({ messages }));
      const body = JSON.stringify(server.getLastRequest()?.body);
      expect(body).toContain('broken \uFFFD and \uFFFD');
      expect(body).not.toMatch(/\\ud83d|\\u0000/i);
    });
  });
}
