import type { RequestPurpose, StopReason } from '../contract.ts';
import { withPieces } from './ask.ts';
import { budgetUsedUp } from './caps.ts';
import { endTurn } from './end-turn.ts';
import type { Run } from './run.ts';
import { atIterationCap, budgetEnd, loopEnd } from './texts.ts';

/** A finalization request that failed or stayed blank: the fixed sentence takes its place. */
export function endUnfinalized(run: Run, purpose: RequestPurpose, at: number): Run {
  const sentence =
    purpose === 'finalize-cap'
      ? atIterationCap
      : purpose === 'finalize-loop'
        ? loopEnd
        : budgetEnd(budgetUsedUp(run) ?? 'its limit is reached');
  const text = withPieces(run.turn?.pieces ?? [], sentence);
  return endTurn(run, { text, stopReason: capReason(purpose) }, at);
}

/** How a turn ends behind a finalization request that a cap led to. */
export const capReason = (purpose: RequestPurpose): StopReason =>
  purpose === 'finalize-cap' ? 'max_iterations' : purpose === 'finalize-loop' ? 'loop' : 'budget';
