import { Drive, ok, started } from './drive.ts';

describe('a turn', () => {
  test('is opened first; instructions stand before its messages and only when they changed', () => {
    const d = new Drive('question');
    expect(d.next).toBe('open-turn');
    d.opens({ maxInjectionCycles: 0 }, { instructions: 'Be brief.' });
    expect(d.lines).toEqual(['system: Be brief.', 'user: question']);
    expect(d.run.transcript[0]?.message).toMatchObject({ name: 'instructions' });
    d.message('m1')
      .replies('done')
      .on({ kind: 'turn-opened', opened: { digest: 'd' } });
    expect(d.lines.slice(2)).toEqual(['assistant: done', 'user: m1']);
    expect(d.run.limits?.maxInjectionCycles).toBe(0);
  });

  test('that is opened without any limits on record is a defect that says so', () => {
    const d = new Drive('question');
    expect(() => d.on({ kind: 'turn-opened', opened: { digest: 'd' } })).toThrow(/no recorded limits/);
  });
});

describe('what a request appends', () => {
  test('is the whole transcript at first, then only what is new since the base', () => {
    const d = started();
    expect(d.step).toEqual({
      kind: 'call-model',
      purpose: 'reply',
      append: [{ role: 'user', content: 'question' }],
    });
    d.round().message('m1').round('see');
    expect(d.step).toEqual({
      kind: 'call-model',
      purpose: 'reply',
      base: { id: 'context', entries: 4 },
      append: [
        { ref: '1/2/0', id: 'see-0' },
        { role: 'user', content: 'm1' },
      ],
    });
  });

  test('is a whole message for a result that is not in the history', () => {
    const d = started().replies({ calls: ['look'] });
    d.on({ kind: 'call-settled', index: 0, outcome: ok('made here') });
    expect(d.step).toMatchObject({
      append: [{ role: 'tool', tool_call_id: 'look-0', content: 'made here' }],
    });
  });

  test('holds a reply itself when its calls were dropped, since the context has the whole of it', () => {
    const d = started().replies({ text: 'half', calls: ['look'], finish: 'length' });
    expect(d.step).toMatchObject({
      base: { id: 'asked', entries: 1 },
      append: [{ role: 'assistant', content: 'half' }, { role: 'user' }],
    });
  });

  test('is nothing behind a blank reply', () => {
    expect(started().replies('').step).toMatchObject({ base: { id: 'asked', entries: 1 }, append: [] });
  });

  test('is everything in whole messages once the context is missing', () => {
    const d = started().round().on({ kind: 'context-missing' });
    expect(d.step).toEqual({
      kind: 'call-model',
      purpose: 'reply',
      append: d.run.transcript.map((entry) => entry.message),
    });
    expect([d.next, d.run.turn?.iteration]).toEqual(['reply', 2]);
  });
});

describe('keepOpen', () => {
  const keepOpen = () => started({}, { keepOpenMs: 1_000 });

  test('waits behind a turn, and each message starts the next one', () => {
    const d = keepOpen().replies('one');
    expect(d.step).toEqual({ kind: 'wait', forMs: 1_000 });
    expect(d.message('m1').next).toBe('open-turn');
    expect(d.opens().replies('two').next).toBe('wait');
  });

  test('ends with the last answer when nobody wrote for that long', () => {
    expect(keepOpen().replies('one').on({ kind: 'waited-out' }).end.text).toBe('one');
  });

  test('is not over when a message came just before the time', () => {
    const d = keepOpen().replies('one').message('m1').on({ kind: 'waited-out' });
    expect(d.opens().replies('two').next).toBe('wait');
  });

  test('answers a message that came just behind the time, and waits again', () => {
    const d = keepOpen().replies('one').on({ kind: 'waited-out' }).message('m1');
    expect(d.opens().replies('two').next).toBe('wait');
  });

  test('of 0 ends the run behind the turn', () => {
    expect(started().replies('one').next).toBe('finish');
  });
});

test.each(['', ' \n', [], [{ type: 'text', text: ' ' }]] as const)(
  'blank input %j is no turn: the run ends with an error',
  (input) => {
    const d = new Drive(input as never);
    expect(d.end).toMatchObject({ stopReason: 'error', error: { type: 'blank_input' } });
    expect(d.lines).toEqual([]);
  },
);

test('the log counts its entries from 1 without gaps and tells thought, action and observation', () => {
  const d = started()
    .replies({ text: 'I look', thinking: 'hm', calls: ['look'] })
    .settles(0)
    .message('m1')
    .replies('x', 'y');
  expect(d.run.log.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual([
    '1 turn-started',
    '2 model-started',
    '3 model-replied',
    '4 call-started',
    '5 call-settled',
    '6 model-started',
    '7 model-replied',
    '8 messages-taken',
    '9 model-started',
    '10 model-replied',
    '11 turn-ended',
  ]);
  expect(d.run.log[2]).toMatchObject({
    turn: 1,
    iteration: 1,
    text: 'I look',
    thinking: 'hm',
    calls: [{ name: 'look' }],
  });
});
