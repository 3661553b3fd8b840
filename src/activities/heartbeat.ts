import { activityInfo, heartbeat } from '@temporalio/activity';

/** As the worker's throttle, so the server hears of every beat; a cancel comes back with the next one. */
const intervalMs = 500;

/**
 * What an attempt leaves to the next one. Temporal delivers the last details of a failed attempt with the next, so
 * failures that the activity reported can be told from a worker that died: `running` was never followed by a report.
 */
export interface Progress {
  state: 'running' | 'failed';
  /** The attempt that said so. Without it, one that died before its first beat would look like the failed one before it. */
  attempt?: number;
  /** Attempts that ended with a failure of their own, in all. */
  failures: number;
  /** When the first of the failures in a row came, in ms since the epoch. */
  failingSince?: number;
  /** Type of the last failure, and how many in a row were of it. */
  lastType?: string;
  lastTypeCount?: number;
}

/** Keeps an activity alive while it works. */
export class Heartbeat {
  readonly before: Progress | undefined;
  #progress: Progress;
  #details: unknown;
  #timer: NodeJS.Timeout;

  constructor() {
    this.before = progressIn(activityInfo().heartbeatDetails);
    this.#progress = {
      ...this.before,
      failures: this.before?.failures ?? 0,
      state: 'running',
      attempt: activityInfo().attempt,
    };
    // None at once: most attempts are over before the first, and each is a request that the server has to write down.
    this.#timer = setInterval(() => this.#beat(), intervalMs);
  }

  /** Attempts before this one whose worker died or was lost: they reported nothing. */
  get deaths(): number {
    return Math.max(0, activityInfo().attempt - 1 - (this.before?.failures ?? 0));
  }

  /** True when the attempt before this one never said how it ended. */
  get previousAttemptLost(): boolean {
    const { attempt } = activityInfo();
    return attempt > 1 && !(this.before?.state === 'failed' && this.before.attempt === attempt - 1);
  }

  /** Details of a tool's own, shown in the Temporal UI beside ours. */
  show(details: unknown): void {
    this.#details = details;
    this.#beat();
  }

  /** Says that this attempt failed by itself; the next attempt reads it. */
  failed(type: string, now: number): Progress {
    const sameType = this.before?.state === 'failed' && this.before.lastType === type;
    this.#progress = {
      state: 'failed',
      attempt: activityInfo().attempt,
      failures: this.#progress.failures + 1,
      failingSince: this.before?.failingSince ?? now,
      lastType: type,
      lastTypeCount: sameType ? (this.before?.lastTypeCount ?? 0) + 1 : 1,
    };
    this.#beat();
    return this.#progress;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    heartbeat(this.#details === undefined ? this.#progress : { ...this.#progress, details: this.#details });
  }
}

function progressIn(details: unknown): Progress | undefined {
  if (typeof details !== 'object' || details === null || !('state' in details) || !('failures' in details)) {
    return undefined;
  }
  return details as Progress;
}
