import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { Worker as Thread } from 'node:worker_threads';

/*
 * The worker's side of `measured-worker.ts`: "ready" when it polls, "rss" is answered with memory and CPU time (the words of
 * the peers' workers), "heap" with the heap behind a garbage collection, "stop" ends it.
 */

/** Temporal runs workflows in threads, which have heaps of their own. */
const threads = new Set<Thread>();
process.on('worker', (thread: Thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

const megabyte = 2 ** 20;

async function heapMb(): Promise<number> {
  globalThis.gc?.();
  let bytes = getHeapStatistics().used_heap_size;
  for (const thread of threads) {
    // Taking a snapshot collects garbage first, and there is no other way to have another thread do that.
    (await thread.getHeapSnapshot()).destroy();
    bytes += (await thread.getHeapStatistics()).used_heap_size;
  }
  return bytes / megabyte;
}

function answerOf(message: unknown): unknown {
  if (message === 'rss') {
    const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
    return { rss: process.memoryUsage().rss / megabyte, peak: peakKb / 1024, cpu: process.cpuUsage() };
  }
  return undefined;
}

/** Answers the process that started this worker, and ends with it. `stop` has to let the worker's run end. */
export function obey(stop: () => void): void {
  process.on('message', (message) => {
    if (message === 'stop') stop();
    else if (message === 'heap') void heapMb().then((heap) => process.send?.({ heap }));
    else process.send?.(answerOf(message));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}
