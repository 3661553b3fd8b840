/** The run a result belongs to: workflow id, and the run id of the first execution of its chain. */
export interface ResultScope {
  runId: string;
  rootRunId: string;
}

/**
 * What a model is shown: the call's key (turn/iteration/index), and `#n` for the n-th binary part of its result; or
 * `reply-` and an id, for the whole text of a reply that was too long for the history.
 */
const refPattern = /^(?:\d{1,9}\/\d{1,9}\/\d{1,9}(?:#\d{1,4})?|reply-[\w-]{22})$/;

export const isResultRef = (ref: string): boolean => refPattern.test(ref);

/** `id`: of the reply's context. */
export const replyRef = (id: string): string => `reply-${id}`;

export const isReplyRef = (ref: string): boolean => ref.startsWith('reply-');

/** Where a result stands in the store. A model's reference holds no path, so it can't lead out of its run. */
export function resultKey({ runId, rootRunId }: ResultScope, ref: string): string {
  return isReplyRef(ref) ? replyKey(runId, ref) : `result/${runId}/${rootRunId}/${ref}`;
}

/** The id in a reply's reference is used once, whatever run has the workflow id: the first run need not be known. */
export const replyKey = (runId: string, ref: string): string => `result/${runId}/${ref}`;
