import type { Client } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientLimits } from '../limits.ts';
import { NoWorkerError } from './errors.ts';
import type { Execution } from './execution.ts';

type Watched = Pick<Execution, 'status' | 'taskQueue'>;

/** Between two looks at a task queue. */
const lookMs = 2_000;
const workflowTasks = 1;
const normalQueue = 1;

/**
 * Whether a worker polls the task queue, or has within the last minutes: the server remembers pollers for 5 minutes, so a
 * worker that is being replaced counts as one.
 */
export async function workerPolls(client: Client, taskQueue: string): Promise<boolean> {
  const { pollers } = await client.withDeadline(Date.now() + clientLimits.requestDeadlineMs, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue, kind: normalQueue },
      taskQueueType: workflowTasks,
    }),
  );
  return pollers.length > 0;
}

/** Notices that nobody works on a run. Asked again and again while something waits for the run; looks now and then. */
export class WorkerWatch {
  readonly #client: Client;
  readonly #id: string;
  #lookedAt = -Infinity;
  #missingSince: number | undefined;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  /** @throws NoWorkerError when nobody has polled for 5 s */
  async check({ status, taskQueue }: Watched): Promise<void> {
    const now = Date.now();
    if (status !== 'RUNNING' || now - this.#lookedAt < lookMs) return;
    this.#lookedAt = now;
    if (await workerPolls(this.#client, taskQueue)) {
      this.#missingSince = undefined;
      return;
    }
    this.#missingSince ??= now;
    if (now - this.#missingSince >= clientLimits.noWorkerAfterMs)
      throw new NoWorkerError(this.#id, taskQueue);
  }

  /** Checks until it is stopped. Rejects with NoWorkerError; never resolves before. */
  async guard(latest: () => Promise<Watched>, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.check(await latest());
      // The abort ends the pause; that is no failure.
      await sleep(lookMs, undefined, { signal: stop }).catch(() => {});
    }
  }
}
