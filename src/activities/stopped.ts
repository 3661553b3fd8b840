import { Context } from '@temporalio/activity';

/**
 * Whether the run asked for the end: a cancel or an interrupt. A worker that shuts down, a lost heartbeat and a pause also
 * fire the cancellation signal, but then another attempt has to do the work.
 */
export const stoppedByRun = (): boolean => Context.current().cancellationDetails?.cancelRequested === true;

/** Ends an attempt that Temporal stopped for its own reasons. Never returns. */
export async function giveUpAttempt(): Promise<never> {
  return await Context.current().cancelled;
}
