import { setTimeout as sleep } from 'node:timers/promises';

export interface UntilOptions {
  timeoutMs: number;
  everyMs?: number;
  signal?: AbortSignal | undefined;
}

/** Asks again and again until the answer is not undefined; resolves to undefined when time is up. Rejects when aborted. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { timeoutMs, everyMs = 50, signal }: UntilOptions,
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined || performance.now() > end) return answer;
    await sleep(everyMs);
  }
}
