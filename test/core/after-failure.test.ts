import { atIterationCap, budgetEnd, loopEnd } from '../../src/core/texts.ts';
import { Drive, started } from './drive.ts';

test('a failed model ends the turn with the error, which never enters the transcript', () => {
  const error = { type: 'model_refused', message: 'HTTP 400: bad schema' };
  const d = started().fails(error);
  expect(d.end).toEqual({ text: '', stopReason: 'error', error });
  expect(d.lines).toEqual(['user: question', 'placeholder']);
  expect(JSON.stringify(d.run.transcript)).not.toContain('bad schema');
  expect(d.run.usage).toMatchObject({ requests: 0, failedRequests: 2 });
});

test('a failure behind a tool round leaves a placeholder behind the results', () => {
  expect(started().round().fails().lines.at(-1)).toBe('placeholder');
});

test('a failure with waiting messages goes on with them', () => {
  const d = started().message('m1').fails();
  expect([d.next, d.run.turn?.iteration]).toEqual(['reply', 2]);
  expect(d.lines).toEqual(['user: question', 'user: m1']);
  expect(d.replies('here').end.stopReason).toBe('completed');
});

test('a failure in the last iteration takes no message: it starts the next turn', () => {
  const d = started({ maxIterations: 1 }).message('m1').fails();
  expect([d.ends, d.next, d.run.turn?.messageIds]).toEqual([['error'], 'open-turn', ['m1']]);
});

test('a failure keeps the pieces of a cut answer', () => {
  const d = started().replies({ text: 'half', finish: 'length' }).fails();
  expect(d.end).toMatchObject({ text: 'half', stopReason: 'error' });
});

test('a failed finalization at the iteration cap leaves the fixed sentence', () => {
  const d = started({ maxIterations: 1 }).round().fails();
  expect(d.end).toEqual({ text: atIterationCap, stopReason: 'max_iterations' });
  expect(d.lines.at(-1)).toBe(`assistant: ${atIterationCap}`);
});

test('a failed finalization of a loop ends as loop', () => {
  const d = started({ repeatRefuseAt: 1, repeatRoundsMax: 1 }).round();
  expect(d.next).toBe('finalize-loop');
  expect(d.fails().end).toEqual({ text: loopEnd, stopReason: 'loop' });
});

test('a failed finalization at the end of the time ends as budget', () => {
  const d = started({ timeoutMs: 50 }).stops('time-up').fails();
  expect(d.end).toEqual({ text: budgetEnd('its time of 50 ms is up'), stopReason: 'budget' });
});

test('with keepOpen only the turn ends, and the run goes on', () => {
  const d = started({}, { keepOpenMs: 1_000 }).fails();
  expect(d.step).toEqual({ kind: 'wait', forMs: 1_000 });
  expect(d.message('m1').opens().replies('better').ends).toEqual(['error', 'completed']);
});

test('a turn that cannot be opened ends with the error, its messages in the transcript', () => {
  const error = { type: 'unknown_agent', message: 'no agent tester' };
  const d = new Drive('question').on({ kind: 'turn-opened', opened: { digest: '', error } });
  expect(d.end).toEqual({ text: '', stopReason: 'error', error });
  expect(d.lines).toEqual(['user: question', 'placeholder']);
});

test('a failure that nobody waits for changes nothing', () => {
  const d = started().replies('done');
  const before = d.run;
  expect(d.fails().run).toBe(before);
});
