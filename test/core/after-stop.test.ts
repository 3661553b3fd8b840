import { atIterationCap } from '../../src/core/texts.ts';
import { wantsInterrupt } from '../../src/core/turn.ts';
import { Drive, ok, started } from './drive.ts';

const now = { interrupt: true };

describe('a message that interrupts', () => {
  test('stops a request, keeps what had arrived with a mark, and is asked next', () => {
    const d = started().message('m1', now);
    expect(wantsInterrupt(d.run)).toBe(true);
    d.stops('interrupted', { text: 'I was about', calls: ['look'] });
    expect(d.lines).toEqual([
      'user: question',
      'assistant: I was about\n\n[interrupted by the user]',
      'user: m1',
    ]);
    expect([d.next, d.run.turn?.iteration, wantsInterrupt(d.run)]).toEqual(['reply', 2, false]);
    expect(d.run.usage.requests).toBe(1);
  });

  test('leaves the mark alone when nothing had arrived', () => {
    const d = started().message('m1', now).stops('interrupted');
    expect(d.lines.at(1)).toBe('assistant: [interrupted by the user]');
  });

  test('stops a round: each call without an outcome gets one that says whether it had started', () => {
    const d = started()
      .replies({ calls: ['a', 'b', 'c'] })
      .settles(1, ok('done'))
      .on({ kind: 'call-started', index: 0 })
      .message('m1', now)
      .stops('interrupted');
    expect(d.lines.slice(2)).toEqual([
      expect.stringMatching(/^tool a-0: Cancelled by the user, outcome unknown/),
      'tool b-1: done',
      'tool c-2: Cancelled before it started: it was not run.',
      'user: m1',
    ]);
    expect(d.next).toBe('reply');
  });

  test('is taken with all that wait before it, beyond the cap of a drain and of the cycles', () => {
    const d = started({ maxInjectionsPerDrain: 1, maxInjectionCycles: 0 })
      .message('m1')
      .message('m2', now)
      .message('m3');
    d.stops('interrupted');
    expect(d.lines.at(-1)).toBe('user: m1\n\nm2');
    expect(d.run.inbox.waiting.map(({ id }) => id)).toEqual(['m3']);
  });

  test('stops nothing while the turn is being opened', () => {
    expect(wantsInterrupt(new Drive('question').message('m1', now).run)).toBe(false);
  });

  test('without an iteration left ends the turn and starts the next one', () => {
    const d = started({ maxIterations: 1 }).message('m1', now).stops('interrupted', 'half');
    expect(d.ends).toEqual(['max_iterations']);
    expect(d.lines.at(-1)).toBe('assistant: half\n\n[interrupted by the user]');
    expect([d.next, d.run.turn?.messageIds]).toEqual(['open-turn', ['m1']]);
    expect(d.run.log.find((entry) => entry.kind === 'turn-ended')).toMatchObject({ text: atIterationCap });
  });

  test('without budget left ends the turn as budget and starts the next one', () => {
    const d = started({ maxTokens: 10 }).message('m1', now).stops('interrupted', 'half');
    expect([d.ends, d.next, d.run.turn?.messageIds]).toEqual([['budget'], 'open-turn', ['m1']]);
  });

  test('in a finalization goes on with the message while an iteration is left', () => {
    const d = started({ maxEmptyRetries: 0 }).replies('').message('m1', now).stops('interrupted');
    expect([d.next, d.lines.at(-1)]).toEqual(['reply', 'user: m1']);
  });

  test('that came too late to stop the answer is taken as any other', () => {
    const d = started().message('m1', now).replies('done');
    expect([d.next, d.lines.at(-1)]).toEqual(['reply', 'user: m1']);
  });
});

test.each(['interrupted', 'cancelled', 'time-up'] as const)(
  'a request that fails while it is stopped counts as failed: %s',
  (kind) => {
    const d = started({ timeoutMs: 50 }).message('m1', now).on({ kind, failedRequests: 2 });
    expect(d.run.usage).toMatchObject({ requests: 0, failedRequests: 2 });
    expect(d.lines.at(1)).toMatch(/^assistant: \[/u);
  },
);

test('the last request counts as failed too when the time runs out once more', () => {
  const d = started({ timeoutMs: 50 }).stops('time-up').on({ kind: 'time-up', failedRequests: 1 });
  expect(d.run.usage.failedRequests).toBe(1);
});

describe('a cancel', () => {
  test('of a request ends the run with the pieces and what had arrived', () => {
    const d = started().replies({ text: 'one ', finish: 'length' }).stops('cancelled', 'two');
    expect(d.end).toEqual({ text: 'one two', stopReason: 'cancelled' });
    expect(d.lines.at(-1)).toBe('assistant: two\n\n[cancelled]');
  });

  test('of a round gives every call its result', () => {
    const d = started()
      .replies({ calls: ['a', 'b'] })
      .on({ kind: 'call-started', index: 0 })
      .stops('cancelled');
    expect(d.lines.slice(2)).toEqual([
      expect.stringMatching(/^tool a-0: Cancelled with the run, outcome unknown/),
      expect.stringMatching(/^tool b-1: Cancelled before it started/),
      'placeholder',
    ]);
    expect(d.end).toEqual({ text: '', stopReason: 'cancelled' });
  });

  test('while the turn is being opened keeps its messages', () => {
    const d = new Drive('question').stops('cancelled');
    expect([d.end.stopReason, d.lines]).toEqual(['cancelled', ['user: question', 'placeholder']]);
  });

  test('between turns ends the run with the last text', () => {
    const d = started({}, { keepOpenMs: 5 }).replies('done').stops('cancelled');
    expect(d.end).toEqual({ text: 'done', stopReason: 'cancelled' });
  });

  test('before any turn ends the run', () => {
    expect(new Drive('', { keepOpenMs: 5 }).stops('cancelled').end.stopReason).toBe('cancelled');
  });

  test('leaves waiting messages waiting and starts no turn, for later ones neither', () => {
    const d = started().message('m1').stops('cancelled').message('m2');
    expect(d.end.stopReason).toBe('cancelled');
    expect(d.run.inbox.waiting.map(({ id }) => id)).toEqual(['m1', 'm2']);
  });
});

describe('time that is up', () => {
  const limits = { timeoutMs: 50 };

  test('stops a request and leads to one finalization request', () => {
    const d = started(limits).stops('time-up', 'half');
    expect([d.next, d.lines.at(-1)]).toEqual([
      'finalize-budget',
      "assistant: half\n\n[cut off: the run's time is up]",
    ]);
    expect(d.replies('sum').end).toEqual({ text: 'sum', stopReason: 'budget' });
  });

  test('stops a round and leads to one finalization request', () => {
    const d = started(limits)
      .replies({ calls: ['a'] })
      .on({ kind: 'call-started', index: 0 })
      .stops('time-up');
    expect(d.next).toBe('finalize-budget');
    expect(d.lines.at(-1)).toMatch(/^tool a-0: Cancelled, the run's time is up, outcome unknown/);
  });

  test('while the turn is being opened leaves it one finalization request', () => {
    expect(new Drive('question').stops('time-up').opens(limits).next).toBe('finalize-budget');
  });

  test('allows no finalization when the tokens are used up too', () => {
    const d = started({ ...limits, maxTokens: 10 }).stops('time-up', 'half');
    expect(d.end.stopReason).toBe('budget');
  });

  test('stops nothing when the last request is already out', () => {
    const d = started(limits).stops('time-up');
    const before = d.run;
    expect(d.stops('time-up').run).toEqual(before);
  });

  test('ends later turns of the run without a request', () => {
    const d = started(limits, { keepOpenMs: 5 }).stops('time-up').message('m1').replies('sum').opens(limits);
    expect([d.ends, d.next]).toEqual([['budget', 'budget'], 'finish']);
  });

  test('between turns ends the wait, the last answer stays', () => {
    const d = started(limits, { keepOpenMs: 5 }).replies('done').stops('time-up');
    expect(d.end).toEqual({ text: 'done', stopReason: 'completed' });
  });
});
