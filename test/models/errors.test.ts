import { fromErrorBody, toModelError } from '../../src/models/errors.ts';

const context = { provider: 'acme', secrets: ['topsecretvalue'] };

describe('an answer with an error is', () => {
  test.each<[number, unknown, string, boolean]>([
    [408, {}, 'timeout', true],
    [409, {}, 'overloaded', true],
    [429, { message: 'Rate limit reached', code: 'rate_limit_exceeded' }, 'rate_limited', true],
    [500, 'Internal', 'server_error', true],
    [502, '<html><title>Bad gateway</title></html>', 'server_error', true],
    [529, { type: 'overloaded_error', message: 'Overloaded' }, 'overloaded', true],
    [402, { message: 'Payment Required' }, 'insufficient_quota', false],
    [
      429,
      { code: 'insufficient_quota', message: 'You exceeded your current quota' },
      'insufficient_quota',
      false,
    ],
    [429, { code: 'billing_hard_limit_reached' }, 'insufficient_quota', false],
    [
      429,
      { message: 'You exceeded your current quota, please check your plan and billing details.' },
      'insufficient_quota',
      false,
    ],
    [
      400,
      { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API' },
      'insufficient_quota',
      false,
    ],
    [
      429,
      {
        message:
          'You exceeded your current quota. Quota exceeded for GenerateRequestsPerMinute. Please retry in 32.3s.',
      },
      'rate_limited',
      true,
    ],
    [401, {}, 'unauthorized', false],
    [403, {}, 'unauthorized', false],
    [404, { code: 'model_not_found' }, 'model_refused', false],
    [422, {}, 'model_refused', false],
    [413, {}, 'context_too_long', false],
  ])('%i with %j: %s', (status, body, type, transient) => {
    expect(fromErrorBody(body, context, status)).toMatchObject({
      name: 'ModelError',
      type,
      transient,
      status,
    });
  });

  test.each([
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    'prompt is too long: 210000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    'the request exceeds the available context size, try increasing it',
    'Please reduce the length of the messages or completion.',
    'Input is too long for requested model.',
    'Your input exceeds the context window of this model.',
  ])('too long a context when it says: %s', (message) => {
    expect(fromErrorBody({ message }, context, 400)).toMatchObject({
      type: 'context_too_long',
      transient: false,
    });
  });

  test('no too long context when a limit per minute speaks of tokens', () => {
    const message = 'Request too large: too many input tokens per minute. Please try again in 1m3.5s.';
    expect(fromErrorBody({ message }, context, 429)).toMatchObject({
      type: 'rate_limited',
      retryAfterMs: 63_500,
    });
  });
});

test('the wait that is asked for is read from headers first, then from the text', () => {
  const headers = new Headers({ 'retry-after': '2' });
  expect(fromErrorBody({ message: 'try again in 20s' }, context, 429, headers).retryAfterMs).toBe(2_000);
  expect(fromErrorBody({ message: 'try again in 20ms' }, context, 429).retryAfterMs).toBe(20);
  expect(fromErrorBody({ message: 'try again later' }, context, 429).retryAfterMs).toBeUndefined();
});

test('messages hold provider, status and remedy, but no keys and no pages of HTML', () => {
  const { message } = fromErrorBody(
    `<html><style>p{}</style><p>Key topsecretvalue of ${'Bearer'} abc123def456 is wrong</p>${'x'.repeat(5_000)}`,
    context,
    401,
  );
  expect(message).toContain('acme answered 401: Key [redacted] of Bearer [redacted] is wrong');
  expect(message.length).toBeLessThan(1_100);
  expect(fromErrorBody({}, context, 402).message).toContain('add credit');
});

describe('a thrown error', () => {
  const error = (fields: object): Error => Object.assign(new Error('boom'), fields);

  test.each([
    [{ code: 'ECONNREFUSED' }, 'network', true],
    [{ cause: { code: 'UND_ERR_SOCKET', message: 'other side closed' } }, 'network', true],
    [{ cause: { cause: { code: 'ENOTFOUND' } } }, 'network', true],
    [{ message: 'terminated' }, 'network', true],
    [{ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } }, 'timeout', true],
    [{ name: 'TimeoutError' }, 'timeout', true],
    [{ message: 'Invalid header value: Bearer topsecretvalue' }, 'request_failed', false],
  ])('with %j is %s', (fields, type, transient) => {
    const mapped = toModelError(error(fields), context);
    expect(mapped).toMatchObject({ type, transient });
    expect(mapped.message).not.toContain('topsecretvalue');
    expect(mapped.cause).toBeUndefined();
  });

  test('that is a ModelError already stays', () => {
    const mapped = toModelError('text', context);
    expect(toModelError(mapped, context)).toBe(mapped);
  });
});
