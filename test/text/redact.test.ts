import { redact } from '../../src/text/redact.ts';

// Put together here, so that no scanner takes this file for a leak.
const key = (...parts: string[]): string => parts.join('');

test.each([
  ['an OpenAI key', key('sk-', 'proj-abcDEF1234567890_xyz')],
  ['an Anthropic key', key('sk-', 'ant-api03-AAAAbbbbCCCCdddd')],
  ['a key its provider masked', key('sk-', 'abcd********wxyz')],
  ['a Stripe key', key('sk_', 'live_51H8abcdefghijk')],
  ['a Groq key', key('gsk_', 'abcdefghijklmnop1234')],
  ['a GitHub token', key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')],
  ['a Slack token', key('xoxb-', '1234567890-abcdefghij')],
  ['an AWS key id', key('AKIA', 'IOSFODNN7EXAMPLE')],
  ['a Google key', key('AIza', 'SyA1234567890abcdefghijklmnopqrstuv')],
  [
    'a JSON web token',
    key('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0.', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r'),
  ],
  ['a private key', key('-----BEGIN RSA PRIVATE', ' KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----')],
  ['a private key without its end', key('-----BEGIN PRIVATE', ' KEY-----\nMIIEabc')],
])('%s is replaced, the text around it stays', (_what, secret) => {
  expect(redact(`before "${secret}"`)).toMatch(/^before "\[redacted\]"?$/);
});

test.each([
  ['Authorization: Bearer abc123def456', 'Authorization: Bearer [redacted]'],
  ['authorization: basic dXNlcjpwYXNz', 'authorization: basic dXNlcjpwYXNz'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [redacted]'],
  ['postgres://app:s3cret@db:5432/x', 'postgres://[redacted]@db:5432/x'],
  ['redis://:s3cret@cache', 'redis://[redacted]@cache'],
  ['https://0123456789abcdef0123@github.com/x', 'https://[redacted]@github.com/x'],
  ['GET /v1?api_key=abcdef123&page=2', 'GET /v1?api_key=[redacted]&page=2'],
  ['{"client_secret": "abcdef123", "id": 1}', '{"client_secret": "[redacted]", "id": 1}'],
  ['DB_PASSWORD=hunter2hunter2', 'DB_PASSWORD=[redacted]'],
])('%s', (text, clean) => {
  expect(redact(text)).toBe(clean);
});

test.each([
  'the bearer of good news, basically everyone',
  'ssh://git@github.com/team/repo.git',
  'mail me at ann@example.com: 3 < 4',
  'https://example.com/a:b/@scope/package',
  '{"next_page_token": "CAUQAAabcdefghijkl"}',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'a risk-averse task-oriented disk-based approach',
  'password: ok?',
])('no secret, so it stays: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redacting twice changes nothing more', () => {
  const once = redact('api_key=abcdef123 Bearer abc123def456 postgres://a:b@c');
  expect(redact(once)).toBe(once);
});

test.each(['eyJ', '://a:', '-----BEGIN PRIVATE KEY', 'Bearer ', 'password=', 'a.b-c:', 'sk-'])(
  'a hostile megabyte of "%s" stays linear',
  (piece) => {
    const start = performance.now();
    redact(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    expect(performance.now() - start).toBeLessThan(10_000);
  },
);
