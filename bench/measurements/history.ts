import { chainOf } from '../chain-of.ts';
import type { Contender } from '../contenders/contender.ts';
import { startRun } from '../run-once.ts';
import type { BenchOptions } from '../options.ts';
import type { Stage } from '../stage.ts';
import { inTurns } from './in-turns.ts';
import { within } from './within.ts';

export interface HistoryRow {
  round: number;
  contender: string;
  /** Model requests with a tool call. */
  turns: number;
  /** Characters of each tool result. */
  resultChars: number;
  /** `COMPLETED`, or what became of it. */
  status: string;
  close?: string;
  events: number;
  bytes: number;
  /** Start to answer, in a worker that has served one short run. Absent when there was no answer. */
  seconds?: number;
  cpuSeconds?: number;
  rssMb?: number;
  peakMb?: number;
}

/** A peer's run that takes longer doesn't end any more. */
const runMsMax = 300_000;

/** How history, time and memory grow with the turns of a run: each in a fresh worker that has served one short run. */
export async function measureHistory(stage: Stage, options: BenchOptions): Promise<HistoryRow[]> {
  const {
    rounds,
    quick,
    chars = quick ? [200] : [200, 2_000],
    turns = quick ? [3] : [5, 20, 50, 100, 200],
  } = options;
  const cells = chars.flatMap((resultChars) => turns.map((n) => ({ turns: n, resultChars })));
  const rows: HistoryRow[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const cell of cells) {
      for (const contender of inTurns(stage.contenders, round)) {
        const row = await measureRun(stage, contender, round, cell);
        rows.push(row);
        stage.log(`history ${JSON.stringify(row)}`);
      }
    }
  }
  return rows;
}

async function measureRun(
  stage: Stage,
  contender: Contender,
  round: number,
  { turns, resultChars }: { turns: number; resultChars: number },
): Promise<HistoryRow> {
  const worker = await contender.startWorker({ resultChars });
  try {
    await (
      await startRun(stage, contender, worker, { turns: 2 })
    ).ended;
    const before = await worker.usage();
    const run = await startRun(stage, contender, worker, { turns });
    const seconds = await within(runMsMax, run.ended).catch(() => undefined);
    const after = await worker.usage().catch(() => undefined);
    const chain = await chainOf(stage.temporal, run.id, run.runId);
    if (seconds === undefined) await run.handle.terminate('benchmark over').catch(() => {});
    const last = chain.at(-1)!;
    return {
      round,
      contender: contender.name,
      turns,
      resultChars,
      status: last.status,
      ...(last.close === undefined ? {} : { close: last.close.slice(0, 200) }),
      events: chain.reduce((sum, { events }) => sum + events, 0),
      bytes: chain.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(seconds === undefined ? {} : { seconds }),
      ...(after === undefined ? {} : { ...after, cpuSeconds: after.cpuSeconds - before.cpuSeconds }),
    };
  } finally {
    await worker.stop();
  }
}
