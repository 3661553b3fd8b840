import { Drive, started } from './drive.ts';

test('messages that wait at the end of a turn start the next one, in a one-off run too', () => {
  const d = started({ maxInjectionCycles: 0 }).message('m1').replies('done');
  expect([d.next, d.run.turn?.n]).toEqual(['open-turn', 2]);
  expect(d.opens().lines).toEqual(['user: question', 'assistant: done', 'user: m1']);
  expect(d.replies('more').end.text).toBe('more');
});

test('the start of a turn takes as many as a drain', () => {
  const d = started({ maxInjectionCycles: 0, maxInjectionsPerDrain: 2 })
    .message('m1')
    .message('m2')
    .message('m3')
    .replies('done');
  expect([d.run.turn?.messageIds, d.run.inbox.waiting.length]).toEqual([['m1', 'm2'], 1]);
});

test('a message never merges into one of an earlier turn', () => {
  const d = started({ maxIterations: 1 }).message('m1').fails().opens();
  expect(d.lines).toEqual(['user: question', 'placeholder', 'user: m1']);
});

test('a run with blank input waits for its first message', () => {
  const d = new Drive(' \n', { keepOpenMs: 5 });
  expect(d.step).toEqual({ kind: 'wait', forMs: 5 });
  expect(d.message('m1').opens().lines).toEqual(['user: m1']);
});

test('what a turn counted starts anew in the next one, what the run counted goes on', () => {
  const d = started({ maxInjectionCycles: 0 }).message('m1').round().replies('done');
  expect(d.run.turn).toMatchObject({ iteration: 0, callsByTool: {}, callsByHash: {}, injectionCycles: 0 });
  expect(d.run.callsByTool).toEqual({ look: 1 });
});
