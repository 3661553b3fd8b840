import { createHash } from 'node:crypto';

/** Names or checks what is in the store: 22 base64url characters of SHA-256, 132 bits. */
export const storeDigest = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * Keys of what must match a history to the letter: they hold the run id, since after a Reset the same call may have
 * another outcome. Full results (`tools/result-key.ts`) are kept under the first run id of the chain instead, so that a
 * conversation can read them after continue-as-new.
 */
export const outcomeKey = (workflowId: string, runId: string, callKey: string, attempt: number): string =>
  `outcome/${workflowId}/${runId}/${callKey}/${attempt}`;

export const contextKey = (id: string): string => `context/${id}`;

/** Arguments too large for the history: found by the plan that names them. */
export const argumentsKey = (
  workflowId: string,
  runId: string,
  activityId: string,
  attempt: number,
  index: number,
): string => `arguments/${workflowId}/${runId}/${activityId}/${attempt}/${index}`;
