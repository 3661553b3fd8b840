import { CancellationScope, condition } from '@temporalio/workflow';
import type { Stop } from '../core/after-stop.ts';
import type { LiveRun } from './live-run.ts';

/** How work ended: by itself, or because the run had to stop it. `value` is missing when it didn't end within the grace. */
export type Ended<T> = { stopped?: undefined; value: T } | { stopped: Stop; value?: T };

/**
 * Waits for work that can be stopped: when the run is cancelled, interrupted or out of time, the loop's scope is cancelled,
 * and the work gets `graceMs` to say what it did. It must turn every failure into a value; a rejection is a defect and
 * fails the workflow task.
 *
 * Not an async function, and one `condition` for the whole run: Temporal records the stack of every promise that a workflow
 * makes, which costs more than all our code between two of them.
 */
export function untilStopped<T>(live: LiveRun, graceMs: number, work: Promise<T>): Promise<Ended<T>> {
  return new Promise((resolve, reject) => {
    let settled: { value: T } | undefined;
    let isStopping = false;
    live.onStop((stopped) => {
      isStopping = true;
      live.scope.cancel();
      CancellationScope.nonCancellable(() => condition(() => settled !== undefined, graceMs)).then(
        () => resolve({ stopped, ...settled }),
        reject,
      );
    });
    work.then((value) => {
      settled = { value };
      if (isStopping) return;
      live.onStop(undefined);
      resolve(settled);
    }, reject);
  });
}
