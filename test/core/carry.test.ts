import type { Run } from '../../src/core/run.ts';
import { carried, mayCarry } from '../../src/core/carry.ts';
import { jsonBytes } from '../../src/core/json-bytes.ts';
import { nextStep } from '../../src/core/turn.ts';
import { Drive, started } from './drive.ts';

const long = 'x'.repeat(400_000);
const instructions = { instructions: 'Be brief.' };
const carry = (run: Run, at = 0) => carried(run, 'run-1', at)?.run;
const contents = (run: Run | undefined) =>
  run?.transcript.map(({ message }) => String(message.content).slice(0, 10));

describe('a run may be carried', () => {
  const d = started({}, { keepOpenMs: 1 });
  test.each<[string, Run, boolean]>([
    ['before its first message', new Drive('', { keepOpenMs: 1 }).run, true],
    ['when a request is due', started().run, true],
    ['when a finalization is due', started({ maxEmptyRetries: 0 }).replies('').run, true],
    ['when it waits for the next message', d.replies('a').run, true],
    ['not while a turn is opened', new Drive('question').run, false],
    ['not while calls run', started().replies({ calls: ['look'] }).run, false],
    ['not while its input is on its way', new Drive([], { inputId: 'i' }).run, false],
    ['not in the middle of a message', { ...d.run, base: { id: 'x', entries: 1, open: 5 } }, false],
  ])('%s', (_, run, may) => {
    expect(mayCarry(run)).toBe(may);
  });
});

test('everything but the log and references to results goes along', () => {
  const d = started({ maxTokens: 500 }, { keepOpenMs: 7 }).round('look').round('look').message('m1');
  const { log, transcript, ...run } = carry(d.run)!;
  const { log: _, transcript: __, ...before } = d.run;
  expect(run).toEqual({ ...before, before: { runId: 'run-1', entries: 0, seq: d.run.log.at(-1)!.seq } });
  expect(transcript).toEqual(d.run.transcript.map(({ message }) => ({ message })));
  expect(log).toEqual([d.run.log.at(-1)]);
  expect(d.run.transcript.some(({ result }) => result !== undefined)).toBe(true);
});

test('a run goes on behind it as it would have gone on', () => {
  const turn = (run: Run) => {
    const d = started();
    d.run = run;
    return d.round('look').message('m1').replies('done', 'and done').end;
  };
  const { run } = started().round('look');
  expect(turn(carry(run)!)).toEqual(turn(run));
});

describe('a transcript that is too long to go along', () => {
  const d = new Drive('question', { keepOpenMs: 1 }).opens({}, instructions).replies(long);
  d.message('m1').opens({}, { digest: 'd' }).replies(long).message('m2').opens({}, { digest: 'd' });

  test('leaves its beginning behind, as far as a context covers it', () => {
    const run = carry(d.run);
    expect([run?.dropped, run?.before?.entries]).toEqual([3, 3]);
    expect(contents(run)).toEqual(['m1', 'xxxxxxxxxx', 'm2']);
    expect(nextStep(run!)).toMatchObject({ kind: 'call-model', base: d.run.base });
  });

  test('goes on counting from the beginning when it leaves more behind', () => {
    const next = started();
    next.run = carry(d.run)!;
    next.replies(long).message('m3').opens().replies('short');
    const run = carry(next.run);
    expect([run?.dropped, run?.before?.entries]).toEqual([5, 5]);
    expect(contents(run)).toEqual(['m2', 'xxxxxxxxxx', 'm3', 'short']);
  });

  test('has its instructions recorded again by the next turn, once they are left behind', () => {
    expect(carry(d.run)?.digest).toBeUndefined();
    expect(carry(started().run)?.digest).toBe('d');
  });

  test('goes along whole where no context covers it, or is not carried for now', () => {
    const { base: _, ...lost } = started().message('m1', { content: long }).replies(long).run;
    expect(contents(carry(lost))).toEqual(['question', 'xxxxxxxxxx', 'xxxxxxxxxx']);
    const more = { ...lost, transcript: [...lost.transcript, ...lost.transcript] };
    expect(carry(more)).toBeUndefined();
  });
});

test('a carried run is at most 1 MB, and messages that wait are never left behind for it', () => {
  const d = started();
  for (let n = 1; n <= 4; n++) d.message(`m${n}`, { content: 'x'.repeat(240_000) });
  const run = carry(d.run);
  expect(run?.inbox.waiting).toHaveLength(4);
  expect(jsonBytes(run)).toBeLessThanOrEqual(1_000_000);
  expect(carry(d.message('m5', { content: 'x'.repeat(240_000) }).run)).toBeUndefined();
});

test('the newest 250 KB of remembered message ids go along', () => {
  const seen = Array.from({ length: 10_000 }, (_, n) => `${n}`.padStart(36, '0'));
  const { run } = started();
  const kept = carry({ ...run, inbox: { waiting: [], seen } })!.inbox.seen;
  expect([kept.length, kept.at(-1)]).toEqual([Math.floor(250_000 / 39), seen.at(-1)]);
  const huge = carry({ ...run, inbox: { waiting: [], seen: ['a', 'x'.repeat(300_000)] } })!;
  expect(huge.inbox.seen).toEqual([]);
});

test('half a message goes along while its sender may still send the rest', () => {
  const part = { id: 'm1', part: 1, of: 2, text: 'x' };
  const { run } = started().on({ kind: 'part-received', part });
  expect(carry(run, 600_002)?.inbox.parts).toEqual(run.inbox.parts);
  expect(carry(run, 600_003)?.inbox).toEqual({ waiting: [], seen: [] });
});
