import type { RequestPurpose } from '../contract.ts';
import { budgetLeft, budgetUsedUp, iterationsLeft } from './caps.ts';
import { endTurn } from './end-turn.ts';
import type { Run } from './run.ts';
import { limitsOf } from './limits-of.ts';
import { atIterationCap, budgetEnd } from './texts.ts';

/**
 * Asks the model next, or ends the turn where a cap forbids it. This is the only place that lets a request through, so the
 * caps on iterations, tokens, money and time hold whatever led here.
 */
export function ask(run: Run, purpose: RequestPurpose, at: number): Run {
  const { turn } = run;
  if (!turn) return run;
  const usedUp = budgetUsedUp(run);
  if (usedUp !== undefined && purpose !== 'finalize-budget') {
    if (budgetLeft(run)) return asking({ ...run, budgetFinalized: true }, 'finalize-budget');
    return endTurn(run, { text: withPieces(turn.pieces, budgetEnd(usedUp)), stopReason: 'budget' }, at);
  }
  if (purpose !== 'reply') return asking(run, purpose);
  const limits = limitsOf(run);
  if (iterationsLeft(turn, limits))
    return asking({ ...run, turn: { ...turn, iteration: turn.iteration + 1 } }, 'reply');
  if (limits.finalizeAtCap) return asking(run, 'finalize-cap');
  return endTurn(run, { text: withPieces(turn.pieces, atIterationCap), stopReason: 'max_iterations' }, at);
}

/** Pieces of an open length chain come first: they are paid for and may be all there is. */
export function withPieces(pieces: string[], text: string): string {
  const before = pieces.join('').trim();
  return before === '' ? text : `${before}\n\n${text}`;
}

function asking(run: Run, purpose: RequestPurpose): Run {
  return run.turn ? { ...run, turn: { ...run.turn, phase: { at: 'asking', purpose } } } : run;
}
