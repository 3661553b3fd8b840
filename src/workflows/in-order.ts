import type { Call } from '../core/run.ts';

/**
 * Starts each call when the calls it waits for have ended and one of `max` places is free, first come first served.
 * Resolves when all have ended. `start` returns nothing for a call that need not run; it must not reject.
 */
export function inOrder(
  calls: Call[],
  waitsFor: number[][],
  max: number,
  start: (call: Call) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const open = new Set(calls.map(({ index }) => index));
    const waiting = new Set(calls);
    const ready: Call[] = [];
    let free = max;

    function takeReady(): void {
      for (const call of waiting) {
        if (waitsFor[call.index]?.some((index) => open.has(index))) continue;
        waiting.delete(call);
        ready.push(call);
      }
    }

    function goOn(): void {
      takeReady();
      // A loop, since thousands of calls that need not run would be as many frames of a recursion.
      while (free > 0 && ready.length > 0) {
        const call = ready.shift()!;
        const running = start(call);
        if (running === undefined) {
          open.delete(call.index);
          takeReady();
          continue;
        }
        free--;
        running.then(() => {
          open.delete(call.index);
          free++;
          goOn();
        }, reject);
      }
      if (open.size === 0) resolve();
    }

    goOn();
  });
}
