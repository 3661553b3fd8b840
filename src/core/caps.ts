import type { Limits, PlannedCall, ToolOutcome, Usage } from '../contract.ts';
import type { Run, Turn } from './run.ts';
import { totalTokens } from './usage.ts';

export interface Admission {
  /** The call doesn't run; this is its answer. */
  refused?: ToolOutcome;
  /** It is refused because it repeats an identical call. */
  repeat?: boolean;
  /** Goes behind the result of a call that runs, or that the plan has answered. */
  note?: string;
}

/**
 * Whether a call may run, by the allowance of its tool and by how often the same call was made in this turn
 * (turn-semantics §1). The counts include this call and every refused one.
 */
export function admission(
  call: PlannedCall & { name: string },
  counts: { identical: number; inTurn: number; inRun: number },
  limits: Limits,
): Admission {
  if (counts.identical >= limits.repeatRefuseAt)
    return { refused: repeated(call.name, counts.identical), repeat: true };
  if (call.answer) return warned(call.name, counts.identical, limits);
  const turnMax = call.callsPerTurn ?? limits.callsPerTurn;
  if (counts.inTurn > turnMax) return { refused: usedUp(call.name, turnMax, 'turn') };
  const runMax = call.callsPerRun ?? limits.callsPerRun;
  if (runMax !== undefined && counts.inRun > runMax) return { refused: usedUp(call.name, runMax, 'run') };
  return warned(call.name, counts.identical, limits);
}

/** What the run has used up, or undefined while there is budget left. */
export function budgetUsedUp(run: Run): string | undefined {
  const { maxTokens, maxCostUsd, timeoutMs } = run.limits ?? {};
  if (run.timeUp) return `its time of ${timeoutMs ?? 0} ms is up`;
  if (maxTokens !== undefined && totalTokens(run.usage) >= maxTokens)
    return `${totalTokens(run.usage)} of ${maxTokens} tokens are used`;
  const cost = costOf(run.usage);
  if (maxCostUsd !== undefined && cost >= maxCostUsd)
    return `${cost.toFixed(4)} of ${maxCostUsd} USD are spent`;
  return undefined;
}

/** Time that is up leaves tokens for one finalization request; spent tokens or money don't. */
export const budgetAllowsFinalization = (run: Run): boolean =>
  budgetUsedUp({ ...run, timeUp: false }) === undefined;

/** Whether the budget lets one more request through, be it the finalization request. */
export const budgetLeft = (run: Run): boolean =>
  budgetUsedUp(run) === undefined || (!run.budgetFinalized && budgetAllowsFinalization(run));

/** Whether the turn may still ask the model in its loop. */
export const iterationsLeft = (turn: Turn, limits: Limits): boolean => turn.iteration < limits.maxIterations;

const costOf = (usage: Usage): number => usage.costUsd ?? 0;

const repeated = (name: string, count: number): ToolOutcome => ({
  status: 'refused',
  class: 'general',
  text:
    `Error: refused, this is call ${count} of ${name} with the same arguments in this turn, and it was not run. ` +
    'Its earlier results stand above. Use them, change the arguments, or answer with what is known.',
});

const usedUp = (name: string, max: number, per: 'turn' | 'run'): ToolOutcome => ({
  status: 'refused',
  class: 'general',
  text: `Error: the allowance of ${name} is used up (${max} calls per ${per}), the call was not run. Go on without it.`,
});

const warned = (name: string, count: number, limits: Limits): Admission =>
  count >= limits.repeatWarnAt ? { note: warning(name, count, limits) } : {};

const warning = (name: string, count: number, limits: Limits): string =>
  `[This is call ${count} of ${name} with the same arguments in this turn. ` +
  `From call ${limits.repeatRefuseAt} on it is refused: change the arguments or use the result.]`;
