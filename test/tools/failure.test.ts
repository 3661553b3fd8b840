import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundaryError, isToolError, RetryableToolError, ToolError } from '../../src/tools/errors.ts';
import { readFailure } from '../../src/tools/failure.ts';
import { codePoints } from '../../src/tools/code-points.ts';

const failed = (error: unknown, call = {}) => readFailure(error, call);
const thrownBy = async (run: () => Promise<unknown>): Promise<unknown> => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe("a tool's own word", () => {
  test('ToolError is final, also for a read-only tool and with a status that is worth a retry', () => {
    const failure = failed(
      Object.assign(new ToolError('No table "x".', { hint: 'Use public.y.' }), { status: 503 }),
      {
        readOnly: true,
      },
    );
    expect(failure).toMatchObject({ retryable: false, status: 'error', class: 'general' });
    expect(failure.text(1)).toBe('ToolError: No table "x". (HTTP 503)\nHint: Use public.y.');
  });

  test('RetryableToolError is retried and may say when', () => {
    expect(failed(new RetryableToolError('busy', { retryAfterMs: 1_500 }))).toMatchObject({
      retryable: true,
      retryAfterMs: 1_500,
    });
    expect(failed(new RetryableToolError('busy')).retryAfterMs).toBeUndefined();
    expect(failed(new RetryableToolError('busy')).text(3)).toMatch(/^RetryableToolError: busy \(3 attempts/);
  });

  test('is recognized from another copy of the package, and a subclass keeps its name', () => {
    class TableMissing extends ToolError {}
    expect(failed(new TableMissing('no')).text(1)).toMatch(/^TableMissing: no/);
    expect(isToolError({ [Symbol.for('turnloop.error')]: 'tool' })).toBe(true);
    expect(isToolError(new Error('x'))).toBe(false);
    expect(isToolError(new RetryableToolError('x'))).toBe(false);
  });
});

describe('what is worth another try', () => {
  test.each([[408], [409], [429], [500], [503]])('HTTP %d', (status) => {
    for (const error of [{ status }, { statusCode: status }, { response: { status } }, { cause: { status } }])
      expect(failed(Object.assign(new Error('x'), error)).retryable).toBe(true);
  });

  test.each([[400], [401], [404], [422], [200]])(
    'not HTTP %d, unless the tool is read-only or idempotent',
    (status) => {
      const error = Object.assign(new Error('x'), { status });
      expect(failed(error).retryable).toBe(false);
      expect(failed(error, { readOnly: true }).retryable).toBe(true);
      expect(failed(error, { idempotent: true }).retryable).toBe(true);
    },
  );

  test('a refused connection of a real request', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const failure = failed(await thrownBy(() => fetch(`http://127.0.0.1:${port}/`)));
    expect(failure.retryable).toBe(true);
    expect(failure.text(3)).toMatch(/^TypeError: fetch failed \(.*ECONNREFUSED/);
  });

  test('a connection tried over several addresses', () => {
    const cause = { errors: [{ code: 'ECONNREFUSED', message: 'connect' }] };
    expect(failed(Object.assign(new Error('fetch failed'), { cause })).retryable).toBe(true);
  });

  test('a time-out, as a status of its own', async () => {
    const signal = AbortSignal.timeout(1);
    const error = await thrownBy(
      () =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    expect(failed(error)).toMatchObject({ retryable: true, status: 'timeout' });
  });

  test("a database's lost connection", () => {
    expect(failed(Object.assign(new Error('gone'), { code: '08006' })).retryable).toBe(true);
    expect(failed(Object.assign(new Error('no table'), { code: '42P01' })).retryable).toBe(false);
  });
});

describe('Retry-After', () => {
  const after = (headers: unknown, now?: number) =>
    failed(Object.assign(new Error('x'), { status: 429, headers }), { now }).retryAfterMs;

  test('is read from plain headers and from Headers', () => {
    expect(after({ 'Retry-After': '3' })).toBe(3_000);
    expect(after(new Headers({ 'retry-after': '3' }))).toBe(3_000);
    expect(after(new Headers({ 'retry-after-ms': '250' }))).toBe(250);
    const error = Object.assign(new Error('x'), { response: { status: 503, headers: { 'retry-after': 2 } } });
    expect(failed(error).retryAfterMs).toBe(2_000);
  });

  test('may be a date', () => {
    const now = Date.UTC(2026, 0, 1);
    expect(after({ 'retry-after': new Date(now + 5_000).toUTCString() }, now)).toBe(5_000);
  });

  test('is nothing when the failure is not retried', () => {
    const error = Object.assign(new ToolError('x'), { headers: { 'retry-after': '3' } });
    expect(failed(error).retryAfterMs).toBeUndefined();
  });
});

describe('boundaries', () => {
  test("our guards' refusals carry class and target, and nothing ran", () => {
    const error = new BoundaryError('Internal/private URL detected: 10.0.0.1', {
      class: 'hard_boundary',
      target: 'http://10.0.0.1/',
    });
    const failure = failed(error, { readOnly: true });
    expect(failure).toMatchObject({
      retryable: false,
      status: 'refused',
      class: 'hard_boundary',
      violation: { class: 'hard_boundary', target: 'http://10.0.0.1/' },
    });
    for (const word of ['firm boundary', 'encodings', 'redirects', 'proxies', 'another tool'])
      expect(failure.text(1)).toContain(word);
  });

  test.each([
    ['Request blocked: INTERNAL/PRIVATE URL DETECTED', 'hard_boundary'],
    ['resolves to a private address', 'hard_boundary'],
    ['Path is outside the configured workspace', 'soft_boundary'],
    ['Path Traversal detected', 'soft_boundary'],
  ])('the words of a foreign tool count: %s', (message, expected) => {
    const failure = failed(new Error(message), {
      readOnly: true,
      args: { path: ' ', file_path: '/etc/passwd', target: 'x' },
    });
    expect(failure).toMatchObject({
      retryable: false,
      status: 'error',
      class: expected,
      violation: { class: expected, target: '/etc/passwd' },
    });
  });

  test('without a known target there is no violation to count', () => {
    const failure = failed(new Error('path traversal detected'), { args: { file: 'x' } });
    expect(failure.class).toBe('soft_boundary');
    expect(failure.violation).toBeUndefined();
  });

  test('a soft boundary may be tried with another target', () => {
    expect(failed(new Error('path outside working dir')).text(1)).toMatch(/Another one .* may be tried/);
  });
});

describe('the text', () => {
  test('begins with the class and gives details that the message lacks', () => {
    const error = Object.assign(new RangeError('relation "sale" does not exist'), {
      code: '42P01',
      detail: 'Near: sales',
    });
    expect(failed(error).text(1)).toMatch(
      /^RangeError: relation "sale" does not exist \(42P01; Near: sales\)\nHint: /,
    );
  });

  test.each([
    ['boom', 'Error: boom'],
    [undefined, 'Error: the tool failed without a message'],
    [null, 'Error: the tool failed'],
    [{ message: 'bare' }, 'Error: bare'],
    [{ reason: 7 }, 'Error: {"reason":7}'],
    [new Error(''), 'Error: the tool failed without a message'],
  ])('has words for %p', (thrown, expected) => {
    expect(failed(thrown).text(1).startsWith(expected)).toBe(true);
  });

  test('holds no secret, no terminal escape and no lone surrogate', () => {
    const text = failed(new Error('\u001b[31mkey sk-abcdefghijklmnop0123456789\u001b[0m \ud800')).text(1);
    expect(text).toMatch(/^Error: key \[redacted\] \ufffd\n/);
  });

  test('is bounded', () => {
    const text = failed(new Error('😀'.repeat(50_000)), {}).text(3);
    expect(codePoints(text)).toBeLessThanOrEqual(2_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('3 attempts');
    const long = failed(new ToolError('x', { hint: 'y'.repeat(10_000) })).text(1);
    expect(codePoints(long)).toBeLessThanOrEqual(2_000);
  });

  test('a cause that leads back to itself ends', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(failed(error).text(1)).toMatch(/^Error: loop\n/);
  });
});
