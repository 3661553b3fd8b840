import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../core/log.ts';
import { clientLimits } from '../limits.ts';
import type { Execution } from './execution.ts';
import type { RunReader } from './run-reader.ts';
import type { WorkerWatch } from './worker-watch.ts';

export interface FollowOptions {
  /** `seq` of the last entry that is known already. */
  from: number;
  reader: RunReader;
  latest: () => Promise<Execution>;
  /** Absent: a run without a worker is followed for as long as it takes. */
  watch?: WorkerWatch;
  /** Ends following. */
  signal?: AbortSignal;
}

/** Log entries in order until the run has ended; returns how it ended. Looks often while something happens. */
export async function* follow(options: FollowOptions): AsyncGenerator<LogEntry, Execution, void> {
  const { reader, latest, watch, signal } = options;
  let seen = options.from;
  let pauseMs: number = clientLimits.lookMsMin;
  let execution = await latest();
  for (;;) {
    await watch?.check(execution);
    let last: LogEntry | undefined;
    for await (const entry of reader.events(execution.runId, seen)) {
      seen = entry.seq;
      last = entry;
      yield entry;
      if (signal?.aborted) return execution;
    }
    // It was described before the entries were read, so nothing that came last is missed.
    if (hasEnded(execution) || signal?.aborted) return execution;
    pauseMs = last ? clientLimits.lookMsMin : Math.min(pauseMs * 1.5, clientLimits.lookMsMax);
    // In the middle of a turn a run doesn't end; where nothing comes, it may have ended or continued as a new one.
    const mayHaveEnded = last === undefined || last.kind === 'turn-ended';
    if (mayHaveEnded) execution = await latest();
    // The abort ends the pause; that is no failure.
    if (!hasEnded(execution))
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

const hasEnded = ({ status }: Execution): boolean => status !== 'RUNNING' && status !== 'CONTINUED_AS_NEW';
