import type { ErrorClass, JsonObject, OutcomeStatus } from '../contract.ts';
import { retryAfterMs as readRetryAfter } from '../models/retry-after.ts';
import { boundaryOf } from './boundary-of.ts';
import { cleanText } from './clean-text.ts';
import { shortened } from './code-points.ts';
import { isRetryableToolError, isToolError } from './errors.ts';
import { errorText } from './error-text.ts';
import { errorHeader, failureSigns, type FailureSigns } from './failure-signs.ts';
import { errorCharsMax } from './refusal.ts';

/** What a thrown value means for its call (turn-semantics §3, "Errors of a tool"). */
export interface Failure {
  /** Whether another try is worth it; how many there are is the plan's matter. */
  retryable: boolean;
  /** How long to wait before it, in ms, when the other side said so. */
  retryAfterMs?: number;
  /** `refused` when one of our guards stopped it right before it ran. */
  status: Extract<OutcomeStatus, 'error' | 'timeout' | 'refused'>;
  class: ErrorClass;
  violation?: { class: ErrorClass; target: string };
  /** What the model reads after so many tries; at most 2,000 code points. */
  text(attempts: number): string;
}

export interface FailedCall {
  readOnly?: boolean | undefined;
  idempotent?: boolean | undefined;
  /** To name the target when a foreign tool hit a boundary. */
  args?: JsonObject;
  /** For `Retry-After` as a date. Default: now. */
  now?: number;
}

/** Pure. Takes anything that can be thrown. */
export function readFailure(error: unknown, call: FailedCall): Failure {
  const signs = failureSigns(error);
  const boundary = boundaryOf(error, signs, call.args ?? {});
  const status = boundary?.isOurs ? 'refused' : signs.isTimeout ? 'timeout' : 'error';
  const retryable = !boundary && isWorthRetrying(error, signs, call);
  const retryAfterMs = retryable ? askedPause(error, signs, call.now ?? Date.now()) : undefined;
  const { hint: ownHint } = (error ?? {}) as { hint?: unknown };
  const hint = typeof ownHint === 'string' && ownHint.trim() !== '' ? ownHint : undefined;
  return {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    status,
    class: boundary?.class ?? 'general',
    ...(boundary?.target === undefined
      ? {}
      : { violation: { class: boundary.class, target: boundary.target } }),
    text(attempts) {
      const tries = attempts > 1 ? ` (${attempts} attempts, this is the last one's error)` : '';
      const advice = [boundary?.advice, hint ?? (boundary ? undefined : generalHint)];
      const tail = shortened(
        cleanText(
          advice
            .filter((line) => line !== undefined)
            .map((line) => `\nHint: ${line}`)
            .join(''),
        ),
        adviceCharsMax,
      );
      const head = cleanText(errorText(error, signs));
      return shortened(head, errorCharsMax - tail.length - tries.length) + tries + tail;
    },
  };
}

const generalHint = 'Look at the error and try it differently; the same call again will fail the same way.';
const adviceCharsMax = 1_000;

function isWorthRetrying(error: unknown, signs: FailureSigns, call: FailedCall): boolean {
  if (isToolError(error)) return false;
  if (isRetryableToolError(error)) return true;
  if (signs.isTimeout || signs.isConnection || isTransientStatus(signs.status)) return true;
  return call.readOnly === true || call.idempotent === true;
}

const isTransientStatus = (status: number | undefined): boolean =>
  status !== undefined && (status === 408 || status === 409 || status === 429 || status >= 500);

/** The tool's own word first, then the response's header. */
function askedPause(error: unknown, { chain }: FailureSigns, now: number): number | undefined {
  if (isRetryableToolError(error) && error.retryAfterMs !== undefined) return error.retryAfterMs;
  return readRetryAfter(
    { retryAfterMs: errorHeader(chain, 'retry-after-ms'), retryAfter: errorHeader(chain, 'retry-after') },
    now,
  );
}
