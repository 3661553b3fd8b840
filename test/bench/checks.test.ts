import type { HistoryRow } from '../../bench/measurements/history.ts';
import type { RecoveryRow } from '../../bench/measurements/recovery.ts';
import {
  historyChecks,
  isMet,
  longChecks,
  recoveryChecks,
  throughputChecks,
} from '../../bench/report/checks.ts';

const row = (contender: string, turns: number, bytes: number, events = 12 * turns + 12): HistoryRow => ({
  round: 1,
  contender,
  turns,
  resultChars: 2_000,
  status: 'COMPLETED',
  events,
  bytes,
  seconds: 1,
});

const missed = (rows: HistoryRow[]): string[] =>
  historyChecks(rows)
    .filter((check) => check.hard && !isMet(check))
    .map(({ what }) => what);

const sizes = [5, 20, 50, 100, 200];

describe('the bounds of a history', () => {
  test('linear growth within 1.3 times the floor meets all of them', () => {
    const rows = sizes.flatMap((n) => [
      row('turnloop', n, 3_000 + 4_800 * n),
      row('floor', n, 1_500 + 3_850 * n),
    ]);
    expect(missed(rows)).toEqual([]);
  });

  test('quadratic growth is no line', () => {
    const rows = sizes.map((n) => row('turnloop', n, 5_000 * n + 50 * n * n));
    expect(missed(rows)).toEqual([expect.stringContaining('bytes grow linearly')]);
  });

  test('one event too many is noticed', () => {
    const rows = sizes.map((n) => row('turnloop', n, 5_000 * n, 12 * n + 26));
    expect(missed(rows)).toEqual([expect.stringContaining('events')]);
  });

  test('more than 1.3 times the bytes of the floor is noticed', () => {
    expect(missed([row('turnloop', 100, 501_000), row('floor', 100, 385_000)])).toEqual([
      expect.stringContaining('the floor'),
    ]);
  });

  test('a run that did not complete is noticed', () => {
    const { seconds: _, ...failed } = row('turnloop', 5, 25_000);
    expect(missed([failed])).toEqual([expect.stringContaining('did not complete')]);
  });
});

describe('the other bounds', () => {
  test('a run that never went on after a kill misses its bound', () => {
    const killed: RecoveryRow = {
      round: 1,
      contender: 'turnloop',
      killedIn: 'tool',
      workerUpSeconds: 2,
      waitedSeconds: 60,
    };
    expect(recoveryChecks([killed]).map(isMet)).toEqual([false]);
    expect(recoveryChecks([{ ...killed, stallSeconds: 8.9 }]).map(isMet)).toEqual([true]);
  });

  test('a heap that grows misses its bound', () => {
    const conversation = (lastMb: number) => ({
      round: 1,
      contender: 'turnloop',
      turns: 400,
      heap: [80, 100, 100, lastMb].map((mb, i) => ({ turn: 100 * (i + 1), mb })),
      turnMs: [1, 2, 3, 4].map((quarter) => ({ quarter, ms: 20 })),
      requestBytes: 1,
      histories: [{ events: 4_010, bytes: 1 }],
      seconds: 8,
      rssMb: 1,
      peakMb: 1,
    });
    expect(longChecks([conversation(110)]).map(isMet)).toEqual([true, true, true]);
    expect(longChecks([conversation(111)]).map(isMet)).toEqual([false, true, true]);
  });

  test('throughput is held against the floor and the better peer', () => {
    const speed = (contender: string, turnsPerSecond: number) => ({
      ...{ round: 1, contender, runs: 100, turns: 10, seconds: 1, turnsPerSecond },
      ...{ cpuSecondsPer1000: 1, rssMb: 1, peakMb: 1, modelCalls: 1_100 },
    });
    const rows = [
      speed('turnloop', 99),
      speed('floor', 130),
      speed('ai-sdk', 54),
      speed('openai-agents', 67),
    ];
    expect(throughputChecks(rows).map(isMet)).toEqual([true, true, false]);
  });
});
