import type { Limits } from '../contract.ts';
import type { Run } from './run.ts';

/** The recorded limits. A turn is opened before anything in it needs one, so their absence is a broken record. */
export function limitsOf(run: Run): Limits {
  if (run.limits === undefined) throw new Error('the run has no recorded limits: openTurn recorded none');
  return run.limits;
}
