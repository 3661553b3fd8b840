import { started } from './drive.ts';

test('messages that wait are taken behind all results of a round, never between', () => {
  const d = started()
    .replies({ calls: ['a', 'b'] })
    .settles(1)
    .message('m1')
    .settles(0);
  expect(d.lines.slice(1)).toEqual([
    'assistant:  [a] [b]',
    'tool a-0: result 0',
    'tool b-1: result 1',
    'user: m1',
  ]);
});

test('messages that wait are taken before an answer counts, and the answer stays', () => {
  const d = started().message('m1').replies('done');
  expect([d.next, d.lines]).toEqual(['reply', ['user: question', 'assistant: done', 'user: m1']]);
  expect(d.replies('more').end).toEqual({ text: 'more', stopReason: 'completed' });
  expect(d.run.turn?.messageIds).toEqual(['m1']);
});

test('nothing is taken before the first request', () => {
  const d = started();
  d.message('m1');
  expect([d.next, d.lines]).toEqual(['reply', ['user: question']]);
});

test.each(['refusal', 'content_filter'] as const)('a %s takes messages too', (finish) => {
  expect(started().message('m1').replies({ text: 'no', finish }).next).toBe('reply');
});

test('a drain takes 3 in arrival order as one message; the rest waits for the next drain', () => {
  const d = started().message('m1').message('m2').message('m3').message('m4').round();
  expect(d.lines.at(-1)).toBe('user: m1\n\nm2\n\nm3');
  expect(d.round('see').lines.at(-1)).toBe('user: m4');
});

test('texts and parts become one list of parts', () => {
  const image = { type: 'image_url', image_url: { url: 'data:,' } };
  const d = started()
    .message('m1')
    .message('m2', { content: [image] })
    .round();
  expect(d.run.transcript.at(-1)?.message.content).toEqual([{ type: 'text', text: 'm1' }, image]);
});

test('a turn drains 5 times; what is left starts the next turn', () => {
  const d = started({ maxIterations: 20 });
  for (let n = 1; n <= 5; n++) {
    d.message(`m${n}`).replies(`answer ${n}`);
    expect(d.run.turn?.injectionCycles).toBe(n);
  }
  d.message('m6').round();
  expect(d.lines.at(-1)).toMatch(/^tool/);
  d.replies('last');
  expect([d.ends, d.next, d.run.turn?.messageIds]).toEqual([['completed'], 'open-turn', ['m6']]);
});

test('only drains that took something count', () => {
  expect(started().round().round('see').run.turn?.injectionCycles).toBe(0);
});

test('no drain at all leaves all messages to the next turn', () => {
  const d = started({ maxInjectionCycles: 0 }).message('m1').round().replies('done');
  expect([d.ends, d.next, d.run.turn?.messageIds]).toEqual([['completed'], 'open-turn', ['m1']]);
});

test('a message that wants to interrupt is taken whatever the cap on drains says', () => {
  const d = started({ maxInjectionCycles: 0 }).message('m1', { interrupt: true }).round();
  expect(d.lines.at(-1)).toBe('user: m1');
});
