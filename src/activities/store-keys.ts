/**
 * Keys of what must match a history to the letter: they hold the run id, since after a Reset the same call may have
 * another outcome. Full results (`tools/result-key.ts`) are kept under the first run id of the chain instead, so that a
 * conversation can read them after continue-as-new.
 */
export const outcomeKey = (workflowId: string, runId: string, callKey: string, attempt: number): string =>
  `outcome/${workflowId}/${runId}/${callKey}/${attempt}`;

export const contextKey = (id: string): string => `context/${id}`;

/** Arguments too large for the history: found by the plan that names them. */
export const argumentsKey = (
  workflowId: string,
  runId: string,
  activityId: string,
  attempt: number,
  index: number,
): string => `arguments/${workflowId}/${runId}/${activityId}/${attempt}/${index}`;
