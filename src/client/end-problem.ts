import { RunTerminatedError, RunTimedOutError, type AgentClientError } from './errors.ts';

/** What is wrong with a run that ended without a result of its own; undefined for every other way it stands. */
export function endProblem(
  id: string,
  status: string,
  more: { reason?: string; cause?: unknown } = {},
): AgentClientError | undefined {
  const options = more.cause === undefined ? {} : { cause: more.cause };
  if (status === 'TERMINATED') return new RunTerminatedError(id, more.reason, options);
  if (status === 'TIMED_OUT') return new RunTimedOutError(id, options);
  return undefined;
}
