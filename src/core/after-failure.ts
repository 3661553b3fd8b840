import type { RunError } from '../contract.ts';
import { ask } from './ask.ts';
import { drain } from './drain.ts';
import { endTurn } from './end-turn.ts';
import { endUnfinalized } from './end-unfinalized.ts';
import { logged } from './log.ts';
import type { Run } from './run.ts';
import { withFailed } from './usage.ts';

/** The model is finally unreachable, or refuses the request as such (turn-semantics §4.4). */
export function afterFailure(run: Run, error: RunError, failedRequests: number, at: number): Run {
  const { turn } = run;
  if (turn?.phase.at !== 'asking') return run;
  const { purpose } = turn.phase;
  const next: Run = {
    ...run,
    usage: withFailed(run.usage, failedRequests),
    log: logged(run.log, at, turn.n, { kind: 'model-failed', iteration: turn.iteration, purpose, error }),
  };
  if (purpose === 'finalize-cap' || purpose === 'finalize-loop' || purpose === 'finalize-budget') {
    return endUnfinalized(next, purpose, at);
  }
  const drainedRun = drain(next, at);
  if (drainedRun) return ask(drainedRun, 'reply', at);
  return endTurn(next, { text: next.turn?.pieces.join('').trim() ?? '', stopReason: 'error', error }, at);
}
