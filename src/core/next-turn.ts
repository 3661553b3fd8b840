import { defaultsBeforeOpening } from './opening-limits.ts';
import { drained } from './inbox.ts';
import { startTurn, type Run } from './run.ts';

/** Starts the next turn when none is in progress and messages wait; a cancelled run starts none, and the run's own input comes first. */
export function takeNextTurn(run: Run, at: number): Run {
  const between = run.turn === undefined || run.turn.phase.at === 'ended';
  if (!between || run.cancelled || run.inputId !== undefined || run.inbox.waiting.length === 0) return run;
  const max = run.limits?.maxInjectionsPerDrain ?? defaultsBeforeOpening.maxInjectionsPerDrain;
  const { inbox, message, ids } = drained(run.inbox, max);
  return startTurn({ ...run, inbox }, [message], ids, at);
}
