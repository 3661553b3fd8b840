import { setTimeout as sleep } from 'node:timers/promises';
import { chainOf, type MeasuredHistory } from '../chain-of.ts';
import type { Contender } from '../contenders/contender.ts';
import type { MeasuredWorker } from '../measured-worker.ts';
import { startRun } from '../run-once.ts';
import type { BenchOptions } from '../options.ts';
import type { Stage } from '../stage.ts';
import { median } from '../report/median.ts';

export interface LongRow {
  round: number;
  contender: string;
  turns: number;
  /** Heap behind a garbage collection at these turns, main thread and workflow threads together. */
  heap: { turn: number; mb: number }[];
  /** Median time of a turn in each quarter, ms. */
  turnMs: { quarter: number; ms: number }[];
  /** Body of the last model request: a request holds the whole conversation. */
  requestBytes: number;
  histories: { events: number; bytes: number }[];
  seconds: number;
  rssMb: number;
  peakMb: number;
}

/** Heap is looked at this often in each quarter of a conversation. */
const looksAQuarter = 4;

/** One conversation of two thousand turns, which Temporal continues as new runs: nothing may grow with it. */
export async function measureLong(stage: Stage, options: BenchOptions): Promise<LongRow[]> {
  const { rounds, quick } = options;
  // The peers can't: their histories end them long before.
  const contender = stage.contenders.find(({ name }) => name === 'turnloop');
  if (contender === undefined) return [];
  const rows: LongRow[] = [];
  for (let round = 1; round <= rounds; round++) {
    const row = await measureConversation(stage, contender, round, quick);
    rows.push(row);
    stage.log(`long ${JSON.stringify(row)}`);
  }
  return rows;
}

async function measureConversation(
  stage: Stage,
  contender: Contender,
  round: number,
  quick: boolean,
): Promise<LongRow> {
  const turns = quick ? 16 : 2_000;
  const worker = await contender.startWorker({ resultChars: 200 });
  try {
    await (
      await startRun(stage, contender, worker, { turns: 2 })
    ).ended;
    const limits = quick ? { historyEventsMax: 60 } : {};
    const run = await startRun(stage, contender, worker, { turns, limits });
    const [seconds, heap] = await Promise.all([
      run.ended,
      heapMeanwhile(stage, worker, run.id, turns, quick ? 4 : 4 * looksAQuarter),
    ]);
    const chain = await chainOf(stage.temporal, run.id, run.runId);
    const { rssMb, peakMb } = await worker.usage();
    return {
      round,
      contender: contender.name,
      turns,
      heap,
      turnMs: quarters(chain),
      requestBytes: (await stage.model.stats(run.id)).maxBytes,
      histories: chain.map(({ events, bytes }) => ({ events, bytes })),
      seconds,
      rssMb,
      peakMb,
    };
  } finally {
    await worker.stop();
  }
}

async function heapMeanwhile(
  stage: Stage,
  worker: MeasuredWorker,
  runId: string,
  turns: number,
  looks: number,
): Promise<LongRow['heap']> {
  const heap: LongRow['heap'] = [];
  for (let look = 1; look <= looks; look++) {
    const due = Math.floor((turns * look) / looks);
    let { calls } = await stage.model.stats(runId);
    while (calls < due) {
      await sleep(20);
      ({ calls } = await stage.model.stats(runId));
    }
    heap.push({ turn: calls, mb: await worker.heapMb() });
  }
  return heap;
}

function quarters(chain: MeasuredHistory[]): LongRow['turnMs'] {
  const at = chain.flatMap(({ toolsEndedAt }) => toolsEndedAt);
  const gaps = at.slice(1).map((time, i) => time - at[i]!);
  const size = gaps.length / 4;
  return [1, 2, 3, 4].map((quarter) => ({
    quarter,
    ms: median(gaps.slice(Math.floor((quarter - 1) * size), Math.floor(quarter * size))),
  }));
}
