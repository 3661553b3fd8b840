import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { bounds } from '../limits.ts';
import { isModelError } from '../models/model-error.ts';
import type { Heartbeat } from './heartbeat.ts';

/** The one place that turns errors into Temporal failures. */

/** The run has to send whole messages: neither the store nor the run itself gave what `base` and `append` name. */
export const contextMissing = (what: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(
    `${what} is neither in the store nor to be had from the run`,
    'ContextMissing',
  );

/** `failedRequests`: attempts before this one that may have reached the model and gave nothing. */
export const notRetryable = (type: string, message: string, failedRequests = 0): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, type, { failedRequests });

/**
 * What a failed model request leads to. A transient one is tried again: after `Retry-After` where the provider named one,
 * else after 1 s, doubled each time up to 60 s, for as long as the pause ends within `outageWaitMs` of the first failure in
 * a row. Everything else, and a transient one whose time is up, is final (turn-semantics §1).
 */
export function modelFailure(
  error: unknown,
  heartbeat: Heartbeat,
  outageWaitMs: number,
  now: number,
): ApplicationFailure {
  const known = isModelError(error) ? error : undefined;
  const type = known?.type ?? 'model_call_failed';
  const message = known?.message ?? describe(error);
  const progress = heartbeat.failed(type, now);
  // Attempts that a worker died in count too, as they do behind an answer.
  const details = { failedRequests: activityInfo().attempt };
  const final = (why: string): ApplicationFailure =>
    ApplicationFailure.create({ message: `${message}${why}`, type, nonRetryable: true, details: [details] });
  if (known === undefined) return final('');
  if (!known.transient) return final('');
  if (known.triesMax !== undefined && (progress.lastTypeCount ?? 1) >= known.triesMax) {
    return final(` (given up after ${known.triesMax} tries)`);
  }
  const pauseMs = pauseBehind(progress.failures, known.retryAfterMs);
  const failingSince = progress.failingSince ?? now;
  if (now + pauseMs - failingSince > outageWaitMs) {
    const waited = Math.round((now - failingSince) / 1000);
    return final(
      ` (failing for ${waited} s, the next try would be in ${Math.round(pauseMs / 1000)} s: modelOutageWaitMs is ${outageWaitMs})`,
    );
  }
  return ApplicationFailure.create({ message, type, details: [details], nextRetryDelay: pauseMs });
}

/** "At once" is obeyed once: a provider that says so on every failure would be asked without a pause for an hour. */
function pauseBehind(failures: number, askedMs: number | undefined): number {
  if (askedMs !== undefined) return Math.max(askedMs, failures === 1 ? 1 : shortestPauseMs);
  return Math.min(bounds.modelRetryIntervalMsMax, shortestPauseMs * 2 ** Math.min(failures - 1, 10));
}

const shortestPauseMs = 1_000;

/** Foreign errors may come from another realm, so they are read, not classified. */
export function describe(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
