import { createHash } from 'node:crypto';
import { activityInfo, Context } from '@temporalio/activity';
import type { RunToolInput } from '../contract.ts';
import type { ToolContext } from '../tools/define.ts';
import { stableJson } from '../tools/stable-json.ts';
import type { Heartbeat } from './heartbeat.ts';

/** What a tool's function gets beside its arguments. */
export function toolContext(input: RunToolInput, signal: AbortSignal, heartbeat: Heartbeat): ToolContext {
  const { attempt, workflowExecution } = activityInfo();
  return {
    callId: input.id,
    runId: workflowExecution?.workflowId ?? '',
    rootRunId: input.root,
    idempotencyKey: idempotencyKey(input),
    attempt,
    signal,
    heartbeat: (details) => heartbeat.show(details),
    log: Context.current().log,
  };
}

/**
 * The same for every attempt of a call, after a Reset and after continue-as-new. Neither the call's id nor the workflow's
 * is in it: models repeat the one and people reuse the other (DESIGN §4).
 */
export function idempotencyKey({ root, key, args }: RunToolInput): string {
  return createHash('sha256')
    .update(`${root}/${key}/${stableJson(args)}`)
    .digest('base64url')
    .slice(0, 32);
}
