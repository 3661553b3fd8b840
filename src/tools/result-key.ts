/** The run a result belongs to: workflow id, and the run id of the first execution of its chain. */
export interface ResultScope {
  runId: string;
  rootRunId: string;
}

/** What a model is shown: the call's key (turn/iteration/index), and `#n` for the n-th binary part of its result. */
const refPattern = /^\d{1,9}\/\d{1,9}\/\d{1,9}(?:#\d{1,4})?$/;

export const isResultRef = (ref: string): boolean => refPattern.test(ref);

/** Where a result stands in the store. A model's reference holds only numbers, so it can't lead out of its run. */
export function resultKey({ runId, rootRunId }: ResultScope, ref: string): string {
  return `result/${runId}/${rootRunId}/${ref}`;
}
