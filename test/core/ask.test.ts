import { atIterationCap } from '../../src/core/texts.ts';
import { started } from './drive.ts';

describe('the iteration cap', () => {
  test('lets maxIterations requests through, then one finalization request', () => {
    const d = started({ maxIterations: 3 }).round().round('see').round('read');
    expect([d.next, d.run.turn?.iteration]).toEqual(['finalize-cap', 3]);
    expect(d.replies('summed up').end).toEqual({ text: 'summed up', stopReason: 'max_iterations' });
  });

  test('is 10 by default', () => {
    const d = started();
    for (let n = 1; n <= 10; n++) {
      expect(d.next).toBe('reply');
      d.round({ name: 'look', arguments: `{"n":${n}}` });
    }
    expect(d.next).toBe('finalize-cap');
  });

  test('lets an answer in the last iteration count', () => {
    expect(started({ maxIterations: 1 }).replies('done').end.stopReason).toBe('completed');
  });

  test('ignores calls in the finalization', () => {
    const d = started({ maxIterations: 1 })
      .round()
      .replies({ text: 'sum', calls: ['look'] });
    expect(d.end).toEqual({ text: 'sum', stopReason: 'max_iterations' });
    expect(d.lines.at(-1)).toBe('assistant: sum');
  });

  test.each([' ', { calls: ['look'] }])(
    'has a fixed sentence when the finalization is blank (%j)',
    (blank) => {
      const d = started({ maxIterations: 1 }).round().replies(blank);
      expect(d.end).toEqual({
        text: 'Agent reached maximum iterations without completing the task.',
        stopReason: 'max_iterations',
      });
    },
  );

  test('has the fixed sentence at once with finalizeAtCap false', () => {
    const d = started({ maxIterations: 1, finalizeAtCap: false }).round();
    expect(d.end).toEqual({ text: atIterationCap, stopReason: 'max_iterations' });
    expect(d.lines.at(-1)).toBe(`assistant: ${atIterationCap}`);
  });

  test('puts the pieces of a cut answer before the fixed sentence', () => {
    const d = started({ maxIterations: 1, finalizeAtCap: false }).replies({
      text: ' half ',
      finish: 'length',
    });
    expect(d.end.text).toBe(`half\n\n${atIterationCap}`);
  });

  test('takes no message, not even behind the last round: it starts the next turn', () => {
    const d = started({ maxIterations: 1 }).message('m1').round();
    expect([d.next, d.lines.some((line) => line.includes('m1'))]).toEqual(['finalize-cap', false]);
    d.replies('sum');
    expect([d.ends, d.next, d.run.turn?.messageIds]).toEqual([['max_iterations'], 'open-turn', ['m1']]);
  });

  test('counts anew in the next turn', () => {
    const d = started({ maxIterations: 1 }).message('m1').round().replies('sum').opens({ maxIterations: 1 });
    expect([d.next, d.run.turn?.iteration]).toEqual(['reply', 1]);
  });
});

describe('a token budget', () => {
  test('that is used up runs no calls, asks nothing more and ends the turn', () => {
    const d = started({ maxTokens: 10 }).replies({ text: 'let me see', calls: ['look', 'see'] });
    expect(d.end).toEqual({
      text: "The run's budget is used up: 10 of 10 tokens are used.",
      stopReason: 'budget',
    });
    expect(d.lines.slice(2, 4)).toEqual([
      expect.stringMatching(/^tool look-0: Not run: .*10 of 10 tokens/),
      expect.stringMatching(/^tool see-1: Not run: /),
    ]);
  });

  test('that is used up by an answer leaves the answer as it is', () => {
    expect(started({ maxTokens: 10 }).replies('done').end).toEqual({ text: 'done', stopReason: 'completed' });
  });

  test('that is used up by an answer leaves waiting messages to the next turn, which ends at once', () => {
    const d = started({ maxTokens: 10 }).message('m1').replies('done');
    expect([d.ends, d.next]).toEqual([['completed'], 'open-turn']);
    expect(d.opens({ maxTokens: 10 }).ends).toEqual(['completed', 'budget']);
    expect(d.lines.slice(1, 3)).toEqual(['assistant: done', 'user: m1']);
  });

  test('counts prompt and completion tokens of the whole run', () => {
    const d = started({ maxTokens: 25 }).round().round('see');
    expect(d.next).toBe('reply');
    expect(d.replies({ calls: ['read'] }).end.stopReason).toBe('budget');
  });

  test('keeps the pieces of a cut answer', () => {
    const d = started({ maxTokens: 10 }).replies({ text: 'half', finish: 'length' });
    expect(d.end.text).toMatch(/^half\n\nThe run's budget is used up/);
  });
});

test('a money budget ends the run when it is spent', () => {
  const usage = { ...started().replies('').run.usage, costUsd: 0.5 };
  const d = started({ maxCostUsd: 1 })
    .replies({ calls: ['look'], usage })
    .settles(0);
  expect(d.next).toBe('reply');
  expect(d.replies({ calls: ['look'], usage }).end.text).toContain('1.0000 of 1 USD are spent');
});
