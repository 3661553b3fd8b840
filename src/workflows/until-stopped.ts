import { CancellationScope, condition } from '@temporalio/workflow';
import type { Stop } from '../core/after-stop.ts';
import type { LiveRun } from './live-run.ts';

/** How work ended: by itself, or because the run had to stop it. `value` is missing when it didn't end within the grace. */
export type Ended<T> = { stopped?: undefined; value: T } | { stopped: Stop; value?: T };

/**
 * Does work that can be stopped: when the run is cancelled, interrupted or out of time, the work's scope is cancelled, and
 * it gets `graceMs` to say what it did. The work must turn every failure into a value; a rejection is a defect and fails
 * the workflow task.
 */
export async function untilStopped<T>(
  live: LiveRun,
  graceMs: number,
  work: () => Promise<T>,
): Promise<Ended<T>> {
  let settled: { value: T } | { error: unknown } | undefined;
  const scope = new CancellationScope();
  void scope.run(work).then(
    (value) => (settled = { value }),
    (error: unknown) => (settled = { error }),
  );
  await condition(() => settled !== undefined || live.stopWanted() !== undefined);
  const stopped = settled === undefined ? live.stopWanted() : undefined;
  if (stopped !== undefined) {
    scope.cancel();
    await condition(() => settled !== undefined, graceMs);
  }
  if (settled !== undefined && 'error' in settled) throw settled.error;
  if (stopped !== undefined) return settled === undefined ? { stopped } : { stopped, value: settled.value };
  if (settled === undefined) throw new Error('work ended without a value');
  return { value: settled.value };
}
