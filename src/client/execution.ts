import type { Client, WorkflowExecutionStatusName } from '@temporalio/client';
import { clientLimits } from '../limits.ts';
import { RunNotFoundError } from './errors.ts';
import { isNotFound } from './grpc.ts';

/** One run of a chain, as Temporal describes it. */
export interface Execution {
  runId: string;
  /** Run id of the first run of the chain. */
  firstRunId: string;
  status: WorkflowExecutionStatusName;
  workflowType: string;
  taskQueue: string;
  memo: Record<string, unknown>;
  startedAt: Date;
  closedAt?: Date;
  /** Events in the history. */
  events: number;
}

/** Filter of a history request: the last event only. */
const closeEventOnly = 2;

/**
 * The newest run of a chain. Without `firstRunId` that is the newest run with the id; with it, the run that this very chain
 * has come to, also when the id has been used for another one since.
 *
 * @throws RunNotFoundError
 */
export async function latestExecution(client: Client, id: string, firstRunId?: string): Promise<Execution> {
  const newest = await describeExecution(client, id);
  if (firstRunId === undefined || newest.firstRunId === firstRunId) return newest;
  let execution = await describeExecution(client, id, firstRunId);
  while (execution.status === 'CONTINUED_AS_NEW') {
    execution = await describeExecution(client, id, await nextRunId(client, id, execution.runId));
  }
  return execution;
}

/** @throws RunNotFoundError */
export async function describeExecution(client: Client, id: string, runId?: string): Promise<Execution> {
  try {
    const described = await client.withDeadline(Date.now() + clientLimits.requestDeadlineMs, () =>
      client.workflow.getHandle(id, runId).describe(),
    );
    return {
      runId: described.runId,
      firstRunId: described.raw.workflowExecutionInfo?.firstRunId || described.runId,
      status: described.status.name,
      workflowType: described.type,
      taskQueue: described.taskQueue,
      memo: described.memo ?? {},
      startedAt: described.startTime,
      ...(described.closeTime === undefined ? {} : { closedAt: described.closeTime }),
      events: described.historyLength,
    };
  } catch (error) {
    if (isNotFound(error)) throw new RunNotFoundError(id, client.options.namespace, { cause: error });
    throw error;
  }
}

async function nextRunId(client: Client, id: string, runId: string): Promise<string> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: id, runId },
    historyEventFilterType: closeEventOnly,
  });
  const next = history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  if (!next)
    throw new Error(`run ${runId} of "${id}" continues as new, but its last event doesn't say as which`);
  return next;
}
