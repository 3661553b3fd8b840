import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { LoadedDataConverter } from '@temporalio/common';
import type { RunInput } from '../../contract.ts';
import { inputProblem } from '../../core/input-problem.ts';
import { restored } from '../../core/restore.ts';
import { newRun, type Run } from '../../core/run.ts';
import { clientLimits } from '../../limits.ts';
import { currentRules } from '../../workflows/patches.ts';
import { ReplayedShell } from './replayed-shell.ts';
import { msOf, readTasks, type HistoryEvent } from './workflow-tasks.ts';

/** Fetches the history of a run and folds it. */
export async function foldExecution(client: Client, id: string, runId: string): Promise<Run> {
  const { events } = await client.withDeadline(Date.now() + clientLimits.historyDeadlineMs, () =>
    client.workflow.getHandle(id, runId).fetchHistory(),
  );
  return await foldHistory(events ?? [], client.options.loadedDataConverter);
}

/**
 * The run that a history of `agentWorkflow` has led to, as of its last workflow task: what the run's own queries answer
 * from, without a worker. A message that was sent without an id gets another one here than in the run.
 *
 * @throws Error when the history is not one of `agentWorkflow`, or its input is none
 */
export async function foldHistory(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<Run> {
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  if (started?.workflowType?.name !== 'agentWorkflow')
    throw new Error(
      `the history is one of ${started?.workflowType?.name ?? 'no workflow'}, not of agentWorkflow`,
    );
  const [input] = (await decodeArrayFromPayloads(converter, started.input?.payloads)) as [RunInput?];
  const problem = inputProblem(input);
  if (input === undefined || problem !== undefined) throw new Error(problem ?? 'the run has no input');

  const tasks = await readTasks(events, converter);
  // Until a worker has taken the run up, its time is the one it was started at.
  const first = tasks[0]?.at ?? msOf(events[0]?.eventTime);
  const run = input.carried === undefined ? newRun(input, currentRules(), first) : restored(input.carried);
  const shell = new ReplayedShell(run);
  for (const task of tasks) shell.take(task);
  return shell.run;
}
