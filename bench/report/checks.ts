import type { HistoryRow } from '../measurements/history.ts';
import type { LongRow } from '../measurements/long.ts';
import type { RecoveryRow } from '../measurements/recovery.ts';
import type { ThroughputRow } from '../measurements/throughput.ts';
import { growthOfGrowth } from './growth.ts';
import { median } from './median.ts';

/** A figure against its bound. */
export interface Check {
  what: string;
  value: number;
  atMost: number;
  /** Whether the command fails when it is missed; the others are goals. */
  hard: boolean;
}

export const isMet = ({ value, atMost }: Check): boolean => value <= atMost;

/** Medians over the rounds of one contender's cell; empty when it wasn't measured. */
const of = <R extends object>(rows: R[], where: Partial<R>): R[] =>
  rows.filter((row) => Object.entries(where).every(([field, value]) => row[field as keyof R] === value));

/** Positions and counts get more digits in the course of a run; with the whole prompt in each request this is 10 and more. */
const growthMax = 1.05;

export function historyChecks(rows: HistoryRow[]): Check[] {
  const ours = rows.filter(({ contender }) => contender === 'turnloop');
  const checks: Check[] = [];
  for (const resultChars of new Set(ours.map((row) => row.resultChars))) {
    const mine = of(ours, { resultChars });
    const points = mine.map(({ turns, bytes }) => ({ x: turns, y: bytes }));
    // Two sizes always lie on a line.
    if (new Set(points.map(({ x }) => x)).size > 2)
      checks.push(
        hard(
          `bytes grow linearly, R = ${resultChars}: bytes of a late turn, in parts of an early one`,
          growthOfGrowth(points),
          growthMax,
        ),
      );
    checks.push(
      hard(
        `events at most 12 N + 25, R = ${resultChars}: most beyond 12 N`,
        Math.max(...mine.map(({ events, turns }) => events - 12 * turns)),
        25,
      ),
      hard(
        `runs that did not complete, R = ${resultChars}`,
        mine.filter((row) => row.seconds === undefined).length,
        0,
      ),
    );
  }
  const at = { turns: 100, resultChars: 2_000 };
  const ratio = (field: 'bytes' | 'seconds'): number =>
    median(of(ours, at).map((row) => row[field] ?? NaN)) /
    median(of(rows, { ...at, contender: 'floor' }).map((row) => row[field] ?? NaN));
  if (of(ours, at).length > 0 && of(rows, { ...at, contender: 'floor' }).length > 0) {
    checks.push(hard('bytes in parts of the floor, N = 100, R = 2,000', ratio('bytes'), 1.3));
    checks.push(goal('seconds in parts of the floor, N = 100, R = 2,000', ratio('seconds'), 1.25));
  }
  return checks;
}

export function throughputChecks(rows: ThroughputRow[]): Check[] {
  const rate = (contender: string): number =>
    median(of(rows, { contender }).map((row) => row.turnsPerSecond));
  const checks = [
    hard(
      'model requests beyond those needed',
      Math.max(
        ...of(rows, { contender: 'turnloop' }).map((row) => row.modelCalls - row.runs * (row.turns + 1)),
      ),
      0,
    ),
    goal('turns a second of the floor, in parts of turnloop', rate('floor') / rate('turnloop'), 1 / 0.75),
  ];
  const better = Math.max(...['ai-sdk', 'openai-agents'].map(rate).filter((each) => !Number.isNaN(each)));
  if (Number.isFinite(better))
    checks.push(
      goal('turns a second of the better peer, in parts of turnloop', better / rate('turnloop'), 1 / 1.5),
    );
  return checks.filter(({ value }) => !Number.isNaN(value));
}

/** Continue-as-new comes at 4,000 events, at a clean point: one round of the loop later at most. */
const historyEventsMax = 4_100;

export function longChecks(rows: LongRow[]): Check[] {
  const quarter = ({ heap, turns }: LongRow, n: number): number => {
    const inside = heap.filter(({ turn }) => turn > (turns * (n - 1)) / 4 && turn <= (turns * n) / 4 + 1);
    return inside.reduce((sum, { mb }) => sum + mb, 0) / inside.length;
  };
  const time = ({ turnMs }: LongRow): number => turnMs[3]!.ms / turnMs[1]!.ms;
  return rows.length === 0
    ? []
    : [
        hard(
          'heap of the last quarter, in parts of the second',
          median(rows.map((r) => quarter(r, 4) / quarter(r, 2))),
          1.1,
        ),
        goal('time per turn of the last quarter, in parts of the second', median(rows.map(time)), 1.1),
        hard(
          'events of the longest history of the chain',
          Math.max(...rows.flatMap(({ histories }) => histories.map(({ events }) => events))),
          historyEventsMax,
        ),
      ];
}

export function recoveryChecks(rows: RecoveryRow[]): Check[] {
  const ours = of(rows, { contender: 'turnloop' });
  return [...new Set(ours.map(({ killedIn }) => killedIn))].map((killedIn) =>
    hard(
      `longest stall after a kill, ${killedIn === 'between' ? 'between calls' : `in a ${killedIn} call`}, seconds`,
      Math.max(...of(ours, { killedIn }).map(({ stallSeconds = Infinity }) => stallSeconds)),
      9,
    ),
  );
}

const hard = (what: string, value: number, atMost: number): Check => ({ what, value, atMost, hard: true });
const goal = (what: string, value: number, atMost: number): Check => ({ what, value, atMost, hard: false });
