import { runOnce } from '../run-once.ts';
import type { Contender } from '../contenders/contender.ts';
import type { BenchOptions } from '../options.ts';
import type { Stage } from '../stage.ts';
import { inTurns } from './in-turns.ts';

export interface ThroughputRow {
  round: number;
  contender: string;
  runs: number;
  turns: number;
  seconds: number;
  turnsPerSecond: number;
  /** Of the worker, a thousand turns. */
  cpuSecondsPer1000: number;
  rssMb: number;
  peakMb: number;
  /** Model requests; each run needs its turns and one for the answer. */
  modelCalls: number;
}

const resultChars = 200;

/** Many short runs at once on one worker that is warm. */
export async function measureThroughput(stage: Stage, options: BenchOptions): Promise<ThroughputRow[]> {
  const { rounds, quick } = options;
  const rows: ThroughputRow[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const contender of inTurns(stage.contenders, round)) {
      const row = await measureRuns(stage, contender, round, quick ? 5 : 100, quick ? 3 : 10);
      rows.push(row);
      stage.log(`throughput ${JSON.stringify(row)}`);
    }
  }
  return rows;
}

async function measureRuns(
  stage: Stage,
  contender: Contender,
  round: number,
  runs: number,
  turns: number,
): Promise<ThroughputRow> {
  const worker = await contender.startWorker({ resultChars });
  try {
    await runOnce(stage, contender, worker, { turns: 3 });
    const before = await worker.usage();
    const began = performance.now();
    const ended = await Promise.all(
      Array.from({ length: runs }, () => runOnce(stage, contender, worker, { turns })),
    );
    const seconds = (performance.now() - began) / 1_000;
    const { cpuSeconds, rssMb, peakMb } = await worker.usage();
    const stats = await Promise.all(ended.map(({ id }) => stage.model.stats(id)));
    return {
      round,
      contender: contender.name,
      runs,
      turns,
      seconds,
      turnsPerSecond: (runs * turns) / seconds,
      cpuSecondsPer1000: ((cpuSeconds - before.cpuSeconds) / (runs * turns)) * 1_000,
      rssMb,
      peakMb,
      modelCalls: stats.reduce((sum, { calls }) => sum + calls, 0),
    };
  } finally {
    await worker.stop();
  }
}
