import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contenders/contender.ts';
import type { MeasuredWorker } from '../measured-worker.ts';
import { startRun } from '../run-once.ts';
import type { BenchOptions } from '../options.ts';
import type { Stage } from '../stage.ts';
import { inTurns } from './in-turns.ts';
import { within } from './within.ts';

/** What the run was doing when its worker was killed; `between`: neither, as far as chance allows. */
export type KilledIn = 'model' | 'tool' | 'between';

export interface RecoveryRow {
  round: number;
  contender: string;
  killedIn: KilledIn;
  /** From the kill to the next model request or start of a tool. Absent: none within `waitedSeconds`. */
  stallSeconds?: number;
  waitedSeconds: number;
  /** Of that, until the new worker polled. */
  workerUpSeconds: number;
  /** Model requests beyond one a turn and one for the answer. */
  repeatedCalls?: number;
}

/** How long a model or a tool takes while its worker is killed. */
const workMs = 1_500;
const turnloopWaitMs = 60_000;
/** The peers stall for up to ten minutes (see their README); that isn't waited for. */
const peerWaitMs = 40_000;

/** SIGKILL of the only worker in the middle of a run, and a new worker at once. */
export async function measureRecovery(stage: Stage, options: BenchOptions): Promise<RecoveryRow[]> {
  const { rounds, quick } = options;
  const rows: RecoveryRow[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const killedIn of quick ? (['model'] as const) : (['model', 'tool', 'between'] as const)) {
      for (const contender of inTurns(stage.contenders, round).filter((each) =>
        takesPart(each, killedIn, round),
      )) {
        const row = await measureKill(stage, contender, round, killedIn);
        rows.push(row);
        stage.log(`recovery ${JSON.stringify(row)}`);
      }
    }
  }
  return rows;
}

/** The peers' tool takes no time, so it can't be killed in; and once is enough to see that a stall is long. */
function takesPart({ name }: Contender, killedIn: KilledIn, round: number): boolean {
  if (name === 'turnloop') return true;
  // The floor's conversation dies with its worker.
  return name !== 'floor' && killedIn !== 'tool' && round === 1;
}

async function measureKill(
  stage: Stage,
  contender: Contender,
  round: number,
  killedIn: KilledIn,
): Promise<RecoveryRow> {
  const setup = { resultChars: 200, ...(killedIn === 'tool' ? { toolMs: workMs } : {}) };
  const turns = killedIn === 'between' ? 60 : 6;
  const first = await contender.startWorker(setup);
  const run = await startRun(stage, contender, first, {
    turns,
    ...(killedIn === 'model' ? { latencyMs: workMs } : {}),
  });
  const calls = async (): Promise<number> => (await stage.model.stats(run.id)).calls;
  await workedOn(killedIn, first, calls);
  await first.kill();
  const killedAt = performance.now();
  const since = (): number => (performance.now() - killedAt) / 1_000;
  const callsBefore = await calls();
  const second = await contender.startWorker({ ...setup, taskQueue: first.taskQueue });
  try {
    const workerUpSeconds = since();
    const waitMs = contender.name === 'turnloop' ? turnloopWaitMs : peerWaitMs;
    const goesOn = killedIn === 'tool' ? second.toolStarted() : more(calls, callsBefore, waitMs);
    const stallSeconds = await within(waitMs, goesOn.then(since)).catch(() => undefined);
    const row = { round, contender: contender.name, killedIn, workerUpSeconds, waitedSeconds: since() };
    if (stallSeconds === undefined) {
      await run.handle.terminate('benchmark over');
      return row;
    }
    await run.ended;
    return { ...row, stallSeconds, repeatedCalls: (await calls()) - turns - 1 };
  } finally {
    await second.kill();
  }
}

/** Resolves in the middle of what is to be killed. */
async function workedOn(
  killedIn: KilledIn,
  worker: MeasuredWorker,
  calls: () => Promise<number>,
): Promise<void> {
  if (killedIn === 'between') return await more(calls, 20, turnloopWaitMs);
  if (killedIn === 'model') await more(calls, 2, turnloopWaitMs);
  else for (let started = 0; started < 3; started++) await worker.toolStarted();
  await sleep(workMs / 3);
}

async function more(calls: () => Promise<number>, than: number, waitMs: number): Promise<void> {
  const end = performance.now() + waitMs;
  while ((await calls()) <= than) {
    if (performance.now() > end) throw new Error(`no model request within ${waitMs / 1_000} s`);
    await sleep(20);
  }
}
