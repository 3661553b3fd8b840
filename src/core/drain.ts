import { budgetLeft, iterationsLeft } from './caps.ts';
import { drained, interruptWaits } from './inbox.ts';
import { limitsOf } from './limits-of.ts';
import { logged } from './log.ts';
import type { Run } from './run.ts';

/**
 * Takes waiting messages into the turn in progress, or returns undefined when none wait or none may be taken: at most
 * `maxInjectionCycles` drains a turn, and none when no iteration or no budget is left to answer them. What interrupts is
 * always taken while both are left. A drain starts a new length chain and resets the count of blank replies.
 */
export function drain(run: Run, at: number): Run | undefined {
  const { turn } = run;
  if (!turn || run.inbox.waiting.length === 0) return undefined;
  const limits = limitsOf(run);
  const cyclesLeft = turn.injectionCycles < limits.maxInjectionCycles || interruptWaits(run.inbox);
  if (!cyclesLeft) return undefined;
  if (!iterationsLeft(turn, limits) || !budgetLeft(run)) return undefined;
  const { inbox, message, ids } = drained(run.inbox, limits.maxInjectionsPerDrain);
  return {
    ...run,
    inbox,
    transcript: [...run.transcript, { message }],
    turn: {
      ...turn,
      injectionCycles: turn.injectionCycles + 1,
      emptyInRow: 0,
      pieces: [],
      messageIds: [...turn.messageIds, ...ids],
    },
    log: logged(run.log, at, turn.n, { kind: 'messages-taken', messageIds: ids }),
  };
}
