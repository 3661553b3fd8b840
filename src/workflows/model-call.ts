import { isCancellation } from '@temporalio/workflow';
import type { CallModelInput, ModelReply, RunError } from '../contract.ts';
import { limitsOf } from '../core/limits-of.ts';
import type { Step } from '../core/turn.ts';
import { activityError, failedRequestsOf, isContextMissing } from './failures.ts';
import type { LiveRun } from './live-run.ts';
import { callModelActivity } from './proxies.ts';
import { untilStopped } from './until-stopped.ts';

type CallModelStep = Extract<Step, { kind: 'call-model' }>;
type Called =
  | { kind: 'reply'; reply: ModelReply }
  | { kind: 'failed'; error: RunError; failedRequests: number }
  | { kind: 'context-missing' }
  | { kind: 'cancelled' };

/** Asks the model once. What had arrived when a stop came is kept. */
export async function callModel(live: LiveRun, step: CallModelStep): Promise<void> {
  const before = live.stopWanted();
  if (before !== undefined) return live.happened({ kind: before });
  live.happened({ kind: 'model-called' });
  const input = modelInput(live, step);
  const summary = `turn ${input.turn} · iteration ${input.iteration}${input.purpose ? ` · ${input.purpose}` : ''}`;
  const ended = await untilStopped(live, limitsOf(live.run).cancelGraceMs, called(input, summary));
  if (ended.stopped !== undefined) {
    const late = ended.value;
    if (late?.kind === 'failed')
      return live.happened({ kind: ended.stopped, failedRequests: late.failedRequests });
    if (late?.kind !== 'reply') return live.happened({ kind: ended.stopped });
    if (late.reply.interrupted) return live.happened({ kind: ended.stopped, partial: late.reply });
    // It was complete before the cancel reached it: it is paid for, and what comes next sees the stop.
    return live.happened({ kind: 'model-replied', reply: late.reply });
  }
  switch (ended.value.kind) {
    case 'reply':
      return live.happened({ kind: 'model-replied', reply: ended.value.reply });
    case 'failed':
      return live.happened({
        kind: 'model-failed',
        error: ended.value.error,
        failedRequests: ended.value.failedRequests,
      });
    case 'context-missing':
      return live.happened({ kind: 'context-missing' });
    case 'cancelled':
      throw new Error('the model activity was cancelled though nobody asked for it');
  }
}

function modelInput(live: LiveRun, step: CallModelStep): CallModelInput {
  const { run } = live;
  const limits = limitsOf(run);
  return {
    agent: run.agent,
    turn: run.turn?.n ?? 1,
    iteration: run.turn?.iteration ?? 1,
    ...(step.purpose === 'reply' ? {} : { purpose: step.purpose }),
    ...(run.model === undefined ? {} : { model: run.model }),
    ...(step.base === undefined ? {} : { base: step.base }),
    append: step.append,
    timeoutMs: limits.modelCallTimeoutMs,
    outageWaitMs: limits.modelOutageWaitMs,
  };
}

const called = (input: CallModelInput, summary: string): Promise<Called> =>
  callModelActivity(input, summary).then(
    (reply) => ({ kind: 'reply', reply }),
    (error: unknown) => {
      if (isCancellation(error)) return { kind: 'cancelled' };
      if (isContextMissing(error) && input.base !== undefined) return { kind: 'context-missing' };
      return {
        kind: 'failed',
        error: activityError(error, 'model_call_failed'),
        failedRequests: failedRequestsOf(error),
      };
    },
  );
