import type { Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { AgentDescription } from '../contract.ts';
import { clientLimits } from '../limits.ts';
import { NoWorkerError } from './errors.ts';
import { untilClosed } from './until-closed.ts';
import { WorkerWatch } from './worker-watch.ts';

/**
 * The agents that the workers of a task queue know, from one of them: a short workflow of its own.
 *
 * @throws NoWorkerError when no worker answers within 10 s
 */
export async function describeAgents(client: Client, taskQueue: string): Promise<AgentDescription[]> {
  const workflowId = `turnloop-describe-${randomUUID()}`;
  const stop = new AbortController();
  const described = client.withAbortSignal(stop.signal, () =>
    client.workflow.execute('describeAgentsWorkflow', {
      workflowId,
      taskQueue,
      args: [],
      staticSummary: 'agents of this task queue',
      workflowTaskTimeout: '5s',
      // It isn't a run of an agent: nothing is lost when it ends, and nobody waits for it any longer.
      workflowExecutionTimeout: clientLimits.requestDeadlineMs,
    }),
  );
  described.catch(() => {}); // Aborted when the watch was first; the race below tells of every other failure.
  const watch = new WorkerWatch(client, workflowId);
  const guard = watch.guard(async () => ({ status: 'RUNNING', taskQueue }), stop.signal);
  try {
    const first = () => Promise.race([described, guard.then(() => described)]);
    return (await untilClosed(client, workflowId, first)) as AgentDescription[];
  } catch (error) {
    if ((error as { cause?: { name?: string } } | null)?.cause?.name !== 'TimeoutFailure') throw error;
    throw new NoWorkerError(workflowId, taskQueue, { cause: error });
  } finally {
    stop.abort();
  }
}
