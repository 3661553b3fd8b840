import { noPaint, paintFor } from '../../src/cli/paint.ts';
import { progressLines } from '../../src/cli/progress.ts';
import type { Usage } from '../../src/contract.ts';
import { logged, type LogBody, type LogEntry } from '../../src/core/log.ts';

const usage = (promptTokens: number, completionTokens: number): Usage => ({
  requests: 1,
  failedRequests: 0,
  promptTokens,
  completionTokens,
  cachedTokens: 0,
  reasoningTokens: 0,
  estimated: false,
});

/** The log of one turn: each body with its time in ms. */
function log(...bodies: [number, LogBody][]): LogEntry[] {
  return bodies.reduce<LogEntry[]>((entries, [at, body]) => logged(entries, at, 1, body), []);
}

const shown = (entries: LogEntry[]) =>
  entries.flatMap((entry, at) => progressLines(entry, entries.slice(0, at), noPaint)).join('\n');

const call = { index: 0, id: 'c1', name: 'search_database', arguments: '{"query":"SELECT 1"}' };

test('an iteration reads as thought, action and observation, with durations and tokens', () => {
  const text = shown(
    log(
      [0, { kind: 'turn-started', messageIds: ['m'] }],
      [0, { kind: 'model-started', iteration: 1, purpose: 'reply' }],
      [
        1200,
        {
          kind: 'model-replied',
          iteration: 1,
          purpose: 'reply',
          text: 'I look at the table.',
          calls: [call],
          finish: 'tool_calls',
          usage: usage(1812, 45),
        },
      ],
      [1300, { kind: 'call-started', iteration: 1, ...call }],
      [
        1800,
        {
          kind: 'call-settled',
          iteration: 1,
          index: 0,
          id: 'c1',
          name: 'search_database',
          outcome: { status: 'ok', text: '[{"n":1}]', attempts: 2 },
        },
      ],
      [
        3000,
        { kind: 'turn-ended', text: 'One.', stopReason: 'completed', iterations: 2, usage: usage(3000, 90) },
      ],
    ),
  );
  expect(text.split('\n')).toEqual([
    '  1 thought      I look at the table. (1.2 s, 1,812 + 45 tokens)',
    '    action       search_database {"query":"SELECT 1"}',
    '    observation  [{"n":1}] (search_database, 0.5 s, 2 attempts)',
    '    end          completed, 2 iterations, 3,000 + 90 tokens, 3.0 s',
  ]);
});

const settled = (text: string): LogEntry[] =>
  log([
    0,
    {
      kind: 'call-settled',
      iteration: 1,
      index: 0,
      id: 'c',
      name: 'fetch',
      outcome: { status: 'error', text },
    },
  ]);

test('an observation that is no success says its status', () => {
  expect(shown(settled('it broke'))).toBe('    observation  it broke (fetch, error)');
});

test('what a tool wrote cannot move the cursor or colour the terminal', () => {
  const text = shown(settled('a\u001b[31mb\u001b[2Jc\rd\u0007e'));
  expect(text).toContain('abcde');
});

test('a long observation is cut between code points, and continues under its column', () => {
  const text = shown(settled(`first\nsecond\n${'😀'.repeat(1000)}`));
  expect(text).toContain('first\n                 second\n                 😀');
  expect(text.isWellFormed()).toBe(true);
  expect([...text].length).toBeLessThan(520);
});

test('of the reply that ends a turn the first line is enough: the whole is the answer', () => {
  const reply: LogBody = {
    kind: 'model-replied',
    iteration: 1,
    purpose: 'reply',
    text: 'It is 5.\n\nBecause …',
    calls: [],
    finish: 'stop',
    usage: usage(1, 1),
  };
  const text = shown(log([0, reply]));
  expect(text).toBe('  1 thought      It is 5. … (? s, 1 + 1 tokens)');
});

test('of parallel calls each observation has the duration of its own call', () => {
  const entries = log(
    [0, { kind: 'call-started', iteration: 1, ...call }],
    [100, { kind: 'call-started', iteration: 1, ...call, index: 1, id: 'c2' }],
    [
      400,
      {
        kind: 'call-settled',
        iteration: 1,
        index: 1,
        id: 'c2',
        name: 'two',
        outcome: { status: 'ok', text: 'b' },
      },
    ],
    [
      900,
      {
        kind: 'call-settled',
        iteration: 1,
        index: 0,
        id: 'c1',
        name: 'one',
        outcome: { status: 'ok', text: 'a' },
      },
    ],
  );
  expect(shown(entries)).toContain('b (two, 0.3 s)');
  expect(shown(entries)).toContain('a (one, 0.9 s)');
});

test('a failed model request says why', () => {
  const error = { type: 'model_unreachable', message: 'connection refused' };
  expect(shown(log([0, { kind: 'model-failed', iteration: 2, purpose: 'reply', error }]))).toBe(
    '  2 model        model_unreachable: connection refused',
  );
});

test('colours appear on a terminal only, and never with NO_COLOR', () => {
  expect(paintFor({ isTTY: true }, {})('red', 'x')).not.toBe('x');
  expect(paintFor({ isTTY: true }, { NO_COLOR: '1' })('red', 'x')).toBe('x');
  expect(paintFor({ isTTY: true }, { TERM: 'dumb' })('red', 'x')).toBe('x');
  expect(paintFor({}, {})('red', 'x')).toBe('x');
});
