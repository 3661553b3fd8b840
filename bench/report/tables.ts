import type { HistoryRow } from '../measurements/history.ts';
import type { LongRow } from '../measurements/long.ts';
import type { RecoveryRow } from '../measurements/recovery.ts';
import type { ThroughputRow } from '../measurements/throughput.ts';
import { isMet, type Check } from './checks.ts';
import { spreadOf } from './median.ts';

/** A Markdown table. */
function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const formatted = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Median and, in brackets, smallest and largest. */
function spread(values: (number | undefined)[], digits: number): string {
  const found = spreadOf(values);
  if (found === undefined) return '-';
  const [median, min, max] = [found.median, found.min, found.max].map((value) => formatted(value, digits));
  return min === max ? median! : `${median} (${min}–${max})`;
}

function groups<R>(rows: R[], key: (row: R) => string): R[][] {
  const found = new Map<string, R[]>();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return [...found.values()];
}

export function historyTable(rows: HistoryRow[]): string {
  const cells = groups(rows, (row) => `${row.resultChars} ${row.turns} ${row.contender}`).sort(([a], [b]) =>
    a!.resultChars === b!.resultChars ? a!.turns - b!.turns : a!.resultChars - b!.resultChars,
  );
  const lines = cells.map((cell) => {
    const { resultChars, turns, contender, status, close } = cell[0]!;
    const failed = cell.filter((row) => row.seconds === undefined).length;
    return [
      formatted(resultChars, 0),
      String(turns),
      contender,
      failed === 0 ? 'completed' : `**${status.toLowerCase()}** ${failed} of ${cell.length}: ${close ?? ''}`,
      spread(
        cell.map((row) => row.events),
        0,
      ),
      spread(
        cell.map((row) => row.bytes / 1_000),
        0,
      ),
      spread(
        cell.map((row) => row.seconds),
        2,
      ),
      spread(
        cell.map((row) => row.cpuSeconds),
        2,
      ),
      spread(
        cell.map((row) => row.peakMb),
        0,
      ),
    ];
  });
  const head = [
    'R',
    'N',
    'contender',
    'outcome',
    'events',
    'history kB',
    'seconds',
    'worker CPU s',
    'worker peak MB',
  ];
  return table(head, lines);
}

export function throughputTable(rows: ThroughputRow[]): string {
  const lines = groups(rows, (row) => row.contender).map((cell) => [
    cell[0]!.contender,
    spread(
      cell.map((row) => row.turnsPerSecond),
      0,
    ),
    spread(
      cell.map((row) => row.seconds),
      2,
    ),
    spread(
      cell.map((row) => row.cpuSecondsPer1000),
      2,
    ),
    spread(
      cell.map((row) => row.peakMb),
      0,
    ),
  ]);
  return table(
    ['contender', 'turns a second', 'seconds', 'worker CPU s per 1,000 turns', 'worker peak MB'],
    lines,
  );
}

export function longTable(rows: LongRow[]): string {
  const quarters = [1, 2, 3, 4].map((n) => {
    const inside = rows.map(({ heap, turns }) =>
      heap
        .filter(({ turn }) => turn > (turns * (n - 1)) / 4 && turn <= (turns * n) / 4 + 1)
        .map(({ mb }) => mb),
    );
    return [
      ['first', 'second', 'third', 'last'][n - 1]!,
      spread(inside.flat(), 1),
      spread(
        rows.map(({ turnMs }) => turnMs[n - 1]!.ms),
        1,
      ),
    ];
  });
  const histories = rows.flatMap((row) => row.histories);
  return [
    table(['quarter', 'heap MB after collection', 'ms a turn'], quarters),
    `Histories a conversation: ${spread(
      rows.map((row) => row.histories.length),
      0,
    )}; events each at most ` +
      `${formatted(Math.max(...histories.map(({ events }) => events)), 0)}, kB each at most ` +
      `${formatted(Math.max(...histories.map(({ bytes }) => bytes / 1_000)), 0)}. The last model request had ` +
      `${spread(
        rows.map((row) => row.requestBytes / 1_000),
        0,
      )} kB. Worker peak: ${spread(
        rows.map((row) => row.peakMb),
        0,
      )} MB.`,
  ].join('\n\n');
}

export function recoveryTable(rows: RecoveryRow[]): string {
  const lines = groups(rows, (row) => `${row.killedIn} ${row.contender}`).map((cell) => {
    const { killedIn, contender, waitedSeconds } = cell[0]!;
    const stalls = cell.map((row) => row.stallSeconds);
    return [
      { model: 'in a model call', tool: 'in a tool call', between: 'between calls' }[killedIn],
      contender,
      stalls.includes(undefined) ? `over ${formatted(waitedSeconds, 0)}` : spread(stalls, 1),
      spread(
        cell.map((row) => row.workerUpSeconds),
        1,
      ),
      spread(
        cell.map((row) => row.repeatedCalls),
        0,
      ),
    ];
  });
  return table(
    ['killed', 'contender', 'stall s', 'of it until the new worker polled', 'model requests too many'],
    lines,
  );
}

export const checksTable = (checks: Check[]): string =>
  table(
    ['bound', 'measured', 'at most', ''],
    checks.map((check) => [
      check.what,
      formatted(check.value, 3),
      formatted(check.atMost, 3),
      isMet(check) ? 'met' : check.hard ? '**missed**' : 'goal missed',
    ]),
  );
