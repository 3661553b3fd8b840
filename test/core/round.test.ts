import type { ToolOutcome } from '../../src/contract.ts';
import { ok, started } from './drive.ts';

const refused = (text: string): ToolOutcome => ({ status: 'refused', class: 'general', text });

describe('a round', () => {
  test('has one result a call, in call order, whatever the order they ended in', () => {
    const d = started()
      .replies({ text: 'both', calls: ['a', 'b', 'c'] })
      .settles(2)
      .settles(0);
    expect([d.next, d.lines.length]).toEqual(['run-calls', 2]);
    d.settles(1);
    expect(d.lines.slice(1)).toEqual([
      'assistant: both [a] [b] [c]',
      'tool a-0: result 0',
      'tool b-1: result 1',
      'tool c-2: result 2',
    ]);
    expect([d.next, d.run.turn?.iteration]).toEqual(['reply', 2]);
  });

  test.each(['error', 'rejected', 'timeout', 'unknown', 'cancelled'] as const)(
    'takes outcome %s as a result',
    (status) => {
      const d = started().round('look', { status, class: 'general', text: `it was ${status}` });
      expect([d.next, d.lines.at(-1)]).toEqual(['reply', `tool look-0: it was ${status}`]);
    },
  );

  test('keeps the first outcome of a call; a second one changes nothing', () => {
    const d = started()
      .replies({ calls: ['a', 'b'] })
      .settles(0, ok('first'));
    const before = d.run;
    expect(d.settles(0, ok('second')).run).toBe(before);
  });

  test('whose calls are all answered already runs nothing', () => {
    const answer = refused('Error: no such tool');
    const d = started().replies({ calls: [{ name: 'lok', answer }] });
    expect([d.next, d.lines.at(-1)]).toEqual(['reply', 'tool lok-0: Error: no such tool']);
  });

  test('answers a call that the plan says nothing about', () => {
    const d = started().replies({ calls: ['look'], plan: [] });
    expect(d.lines.at(-1)).toMatch(/^tool look-0: Error: look was not run/);
  });

  test('tells calls that the plan says nothing about apart by their arguments', () => {
    const d = started({ repeatRefuseAt: 2 });
    d.replies({ calls: [{ name: 'look', arguments: '{"n":1}' }], plan: [] });
    d.replies({ calls: [{ name: 'look', arguments: '{"n":2}' }], plan: [] });
    expect(d.lines.at(-1)).toMatch(/holds no plan for it/);
  });

  test('refuses a call that needs a person while there is no way to ask one', () => {
    const d = started().replies({ calls: [{ name: 'delete', approval: 'it deletes' }] });
    expect(d.lines.at(-1)).toMatch(
      /^tool delete-0: Error: refused, delete needs a person's approval \(it deletes\)/,
    );
  });

  test('keys its calls by turn, iteration and index', () => {
    const d = started()
      .round()
      .replies({ calls: ['a', 'b'] });
    expect(d.step).toMatchObject({ calls: [{ key: '1/2/0' }, { key: '1/2/1' }] });
  });
});

describe('the allowance of a tool', () => {
  const call = (n: number, more = {}) => ({ name: 'look', arguments: `{"n":${n}}`, ...more });

  test('per turn is 50 calls', () => {
    const d = started().replies({
      calls: Array.from({ length: 51 }, (_, n) => ({ ...call(n), id: `c${n}` })),
    });
    const { step } = d;
    if (step.kind !== 'run-calls') throw new Error(step.kind);
    expect(step.calls.filter((one) => one.outcome)).toMatchObject([
      { index: 50, outcome: { status: 'refused', text: expect.stringContaining('50 calls per turn') } },
    ]);
  });

  test("per turn of the tool itself goes before the run's", () => {
    const d = started({ callsPerTurn: 1 })
      .round(call(1, { callsPerTurn: 2 }))
      .round(call(2, { callsPerTurn: 2 }));
    expect(d.lines.at(-1)).toBe('tool look-0: result 0');
    expect(d.round(call(3, { callsPerTurn: 2 })).lines.at(-1)).toMatch(
      /allowance of look is used up \(2 calls per turn\)/,
    );
  });

  test('counts refused calls too', () => {
    const d = started({ callsPerTurn: 1 }).round(call(1, { answer: refused('Error: wrong arguments') }));
    expect(d.round(call(2)).lines.at(-1)).toMatch(/allowance of look is used up/);
  });

  test('is one for each tool', () => {
    expect(started({ callsPerTurn: 1 }).round(call(1)).round('see').lines.at(-1)).toBe(
      'tool see-0: result 0',
    );
  });

  test('per turn starts anew with the next turn, per run does not', () => {
    const limits = { callsPerTurn: 1, callsPerRun: 2, maxInjectionCycles: 0 };
    const d = started(limits).message('m1').round(call(1)).replies('done').opens(limits).round(call(2));
    expect(d.lines.at(-1)).toBe('tool look-0: result 0');
    d.message('m2').replies('done').opens(limits);
    expect(d.round(call(3)).lines.at(-1)).toMatch(/2 calls per run/);
  });

  test("per run of the tool itself goes before the run's", () => {
    const d = started({ callsPerRun: 5 })
      .round(call(1, { callsPerRun: 1 }))
      .round(call(2, { callsPerRun: 1 }));
    expect(d.lines.at(-1)).toMatch(/1 calls per run/);
  });

  test('holds for a tool that is called like a property of every object', () => {
    const d = started({ callsPerTurn: 1 })
      .round('constructor')
      .round({ name: 'constructor', arguments: '{"n":1}' });
    expect(d.lines.at(-1)).toMatch(/allowance of constructor is used up/);
  });
});

describe('identical calls in a turn', () => {
  test('run twice plainly, are warned at 3 and 4, and refused from 5', () => {
    const d = started();
    const results = [1, 2, 3, 4, 5].map(() => d.round().lines.at(-1));
    expect(results).toEqual([
      'tool look-0: result 0',
      'tool look-0: result 0',
      expect.stringMatching(/^tool look-0: result 0\n\n\[This is call 3 of look with the same arguments/),
      expect.stringMatching(/^tool look-0: result 0\n\n\[This is call 4 /),
      expect.stringMatching(/^tool look-0: Error: refused, this is call 5 of look/),
    ]);
  });

  test('count within one reply', () => {
    const d = started({ repeatRefuseAt: 2 }).replies({ calls: ['look', { name: 'look', id: 'second' }] });
    expect(d.settles(0).lines.at(-1)).toMatch(/^tool second: Error: refused, this is call 2/);
  });

  test('are warned also when each was refused for another reason', () => {
    const call = { name: 'look', answer: refused('Error: wrong arguments') };
    const d = started().round(call).round(call).round(call);
    expect(d.lines.at(-1)).toMatch(/^tool look-0: Error: wrong arguments\n\n\[This is call 3/);
  });

  test('carry the warning in the reference to the result too', () => {
    const d = started({ repeatWarnAt: 1 }).round();
    const { result } = d.run.transcript.at(-1) ?? {};
    expect(result).toEqual({ ref: '1/1/0', id: 'look-0', note: expect.stringMatching(/^\[This is call 1/) });
  });

  test('with other arguments are not identical', () => {
    const d = started({ repeatRefuseAt: 2 }).round().round({ name: 'look', arguments: '{"other":1}' });
    expect(d.lines.at(-1)).toBe('tool look-0: result 0');
  });
});

describe('a loop of refused repeats', () => {
  const refuseAll = { repeatRefuseAt: 1 };

  test('ends the turn after three replies in a row, by one finalization request', () => {
    const d = started(refuseAll).round().round();
    expect(d.next).toBe('reply');
    expect(d.round().next).toBe('finalize-loop');
    expect(d.replies({ text: 'I give up', calls: ['look'] }).end).toEqual({
      text: 'I give up',
      stopReason: 'loop',
    });
  });

  test('is broken by a reply with one call that is no repeat', () => {
    const d = started({ repeatRefuseAt: 2 }).round().round().round();
    d.replies({ calls: ['look', 'see'] }).settles(1);
    expect(d.round().round().next).toBe('reply');
    expect(d.round().next).toBe('finalize-loop');
  });

  test.each(['', 'an answer'])('is broken by a reply without calls (%j)', (text) => {
    const d = started(refuseAll).round().message('m1').round().message('m2').replies(text).round();
    expect(d.next).toBe('reply');
  });

  test('takes the messages that wait behind its last round into the finalization', () => {
    const d = started(refuseAll).round().round().message('m1').round();
    expect([d.next, d.lines.at(-1)]).toEqual(['finalize-loop', 'user: m1']);
  });

  test('of calls refused for other reasons is none', () => {
    const call = { name: 'look', answer: refused('Error: wrong arguments') };
    expect(started({ repeatRefuseAt: 9 }).round(call).round(call).round(call).next).toBe('reply');
  });
});

test('a reply with calls clears the count of blank replies and the length chain', () => {
  const d = started().replies('', { text: 'half', finish: 'length' }, { calls: ['look'] });
  expect(d.run.turn).toMatchObject({ emptyInRow: 0, pieces: [] });
});
