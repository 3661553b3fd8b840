import { ApplicationFailure, CancelledFailure, upsertMemo } from '@temporalio/workflow';
import type { RunResult } from '../contract.ts';
import { resultOf } from '../core/result.ts';
import type { TurnEnd } from '../core/run.ts';
import type { LiveRun } from './live-run.ts';

/** Memo field with the result of a cancelled run: Temporal keeps no result for one. */
const resultMemo = 'turnloop.result';

/** Ends the workflow as turn-semantics §7 says. */
export function conclude(live: LiveRun, end: TurnEnd): RunResult {
  const result = resultOf(live.run, end);
  if (end.stopReason === 'cancelled') {
    upsertMemo({ [resultMemo]: result });
    throw new CancelledFailure(
      'the run was cancelled; what it had until then is in the memo turnloop.result',
    );
  }
  if (end.stopReason === 'error') {
    throw ApplicationFailure.create({
      type: end.error?.type ?? 'error',
      message: end.error?.message ?? 'the run ended with an error',
      nonRetryable: true,
      details: [result],
    });
  }
  return result;
}
