import { activityInfo, Context } from '@temporalio/activity';

/** Runs whose misses are counted in this process; the oldest are forgotten first. */
const runsMax = 1_000;

/** By run id. */
const misses = new Map<string, number>();

/**
 * Counts the contexts of a run that the store didn't hold. One may have been lost; with a second one it is likely that
 * another worker, with a store of its own, has made it, so that is said: once a run and process.
 */
export function noteMiss(): void {
  const { runId = '', workflowId = '' } = activityInfo().workflowExecution ?? {};
  const count = (misses.get(runId) ?? 0) + 1;
  misses.delete(runId);
  misses.set(runId, count);
  for (const oldest of misses.keys()) {
    if (misses.size <= runsMax) break;
    misses.delete(oldest);
  }
  if (count !== 2) return;
  Context.current().log.warn(
    `the store has twice not held what the run ${workflowId} needs, so the run was asked, which is slower: ` +
      'workers of one task queue need a store that they share, give the option `store` to all of them',
    { runId, workflowId },
  );
}
