import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { RunError, ToolOutcome } from '../contract.ts';

/** An activity's failure as data. Anything that is no activity failure is a defect and is thrown on. */
export function activityError(error: unknown, type: string): RunError {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) return { type: cause.type ?? type, message: cause.message };
  return { type, message: cause?.message ?? error.message };
}

export const isContextMissing = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === 'ContextMissing';

/** Requests that got no answer: the model activity gives their number in its failure's details. */
export function failedRequestsOf(error: unknown): number {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const details = cause instanceof ApplicationFailure ? cause.details : undefined;
  const first: unknown = details?.[0];
  return typeof first === 'object' && first !== null && 'failedRequests' in first
    ? Number(first.failedRequests)
    : 0;
}

/** The outcome of a tool's activity that failed instead of returning one (temporal-facts, "Stall, heartbeats, cancel"). */
export function failedOutcome(name: string, error: unknown): ToolOutcome {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    if (cause.timeoutType === 'SCHEDULE_TO_START') {
      return general(
        'error',
        `Error: no worker took ${name}: it never started. Check that a worker polls its task queue.`,
      );
    }
    return general('unknown', unknownOutcome(name, 'its worker was lost'));
  }
  if (cause instanceof ApplicationFailure) {
    if (cause.type === 'WorkerShutdown')
      return general('unknown', unknownOutcome(name, 'its worker was shut down'));
    return general('error', `Error: ${name} failed: ${cause.message}`);
  }
  return general('unknown', unknownOutcome(name, cause?.message ?? error.message));
}

const general = (status: ToolOutcome['status'], text: string): ToolOutcome => ({
  status,
  class: 'general',
  text,
});

const unknownOutcome = (name: string, why: string): string =>
  `Error: the outcome of ${name} is unknown (${why}): it may or may not have happened. Check before repeating it.`;
