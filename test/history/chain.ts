import type { WorkflowHandle } from '@temporalio/client';
import { activitiesOf, eventsOf, type RecordedActivity } from '../e2e/history.ts';
import type { Runtime } from '../e2e/harness.ts';

/** The runs of a chain, oldest first: each went on as the next one. */
export async function chainOf(runtime: Runtime, id: string): Promise<{ temporal: WorkflowHandle }[]> {
  const { workflow } = runtime.client.temporal;
  const { raw } = await workflow.getHandle(id).describe();
  const runs: { temporal: WorkflowHandle }[] = [];
  let runId = raw.workflowExecutionInfo?.firstRunId;
  while (runId) {
    const run = { temporal: workflow.getHandle(id, runId) };
    runs.push(run);
    const last = (await eventsOf(run)).at(-1);
    runId = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return runs;
}

/** The activities of all of them, in order. */
export async function activitiesOfChain(runs: { temporal: WorkflowHandle }[]): Promise<RecordedActivity[]> {
  return (await Promise.all(runs.map(eventsOf))).flatMap(activitiesOf);
}
