import { afterFailure } from './after-failure.ts';
import type { Run } from './run.ts';

/** Contexts in a row that may be lost before the turn ends with an error: something loses them as fast as they are made. */
const contextMissesMax = 5;

/** The context is gone: the next request goes with everything the run has, and no base. */
export function afterContextMissing(run: Run, at: number): Run {
  const contextMisses = (run.contextMisses ?? 0) + 1;
  const { base: _, ...rest } = run;
  if (contextMisses <= contextMissesMax) return { ...rest, contextMisses };
  const message = `the context was lost ${contextMisses} times in a row: give the workers a store that they share`;
  return afterFailure({ ...rest, contextMisses: 0 }, { type: 'context_missing', message }, 0, at);
}
