import type { RunResult } from '../contract.ts';
import { endProblem } from './end-problem.ts';
import { RunNotFoundError } from './errors.ts';
import type { Execution } from './execution.ts';
import { isNotFound } from './grpc.ts';

/**
 * The result of a run that Temporal shows as Failed or Canceled, from the error of waiting for it (turn-semantics §7): a
 * failed run's stands in the failure's details, a cancelled one's in the memo.
 *
 * @throws RunTerminatedError, RunTimedOutError, RunNotFoundError; `error` itself when it says nothing of these
 */
export async function runResult(
  id: string,
  namespace: string,
  error: unknown,
  latest: () => Promise<Execution>,
): Promise<RunResult> {
  if (isNotFound(error)) throw new RunNotFoundError(id, namespace, { cause: error });
  const { name, cause } = error as { name?: string; cause?: Cause };
  if (name !== 'WorkflowFailedError' || !cause) throw error;
  switch (cause.name) {
    case 'TerminatedFailure':
      throw endProblem(id, 'TERMINATED', { reason: cause.message ?? '', cause: error });
    case 'TimeoutFailure':
      throw endProblem(id, 'TIMED_OUT', { cause: error });
    case 'ApplicationFailure':
      if (isResult(cause.details?.[0])) return cause.details[0];
      throw error;
    case 'CancelledFailure': {
      const result = (await latest()).memo['turnloop.result'];
      if (isResult(result)) return result;
      throw error;
    }
    default:
      throw error;
  }
}

interface Cause {
  name?: string;
  message?: string;
  details?: unknown[];
}

const isResult = (value: unknown): value is RunResult =>
  typeof value === 'object' && value !== null && 'stopReason' in value && 'text' in value;
