import type { WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { Limits } from '../src/contract.ts';
import type { Contender } from './contenders/contender.ts';
import type { MeasuredWorker } from './measured-worker.ts';
import { answerAfter, modelNameOf } from './script-model.ts';
import type { Stage } from './stage.ts';

export interface RunSize {
  turns: number;
  latencyMs?: number;
  limits?: Partial<Limits>;
}

export interface StartedRun {
  id: string;
  /** Of the first run of the chain. */
  runId: string;
  handle: WorkflowHandle;
  /** Seconds to the right answer; rejects when it ended otherwise. */
  ended: Promise<number>;
}

/** Starts one run of a contender's agent. */
export async function startRun(
  stage: Stage,
  contender: Contender,
  { taskQueue }: MeasuredWorker,
  { turns, latencyMs, limits }: RunSize,
): Promise<StartedRun> {
  // As long for every contender: it stands in the model's name, which stands in histories.
  const id = `run-${randomUUID().slice(0, 13)}`;
  const model = modelNameOf({ turns, id, ...(latencyMs === undefined ? {} : { latencyMs }) });
  const began = performance.now();
  const handle = await contender.start(stage.temporal, {
    id,
    taskQueue,
    model,
    ...(limits === undefined ? {} : { limits }),
  });
  const { firstExecutionRunId: runId = '' } = handle as { firstExecutionRunId?: string };
  const ended = handle.result().then((result) => {
    const { text } = result as { text: string };
    if (text === answerAfter(turns)) return (performance.now() - began) / 1_000;
    throw new Error(`${contender.name} answered ${JSON.stringify(text)} after ${turns} turns`);
  });
  // Whoever started it awaits it later; until then a rejection isn't unhandled.
  ended.catch(() => {});
  return { id, runId, handle, ended };
}

export async function runOnce(
  stage: Stage,
  contender: Contender,
  worker: MeasuredWorker,
  size: RunSize,
): Promise<StartedRun & { seconds: number }> {
  const run = await startRun(stage, contender, worker, size);
  return { ...run, seconds: await run.ended };
}
