import { isCancellation, workflowInfo } from '@temporalio/workflow';
import type { RunToolInput, ToolOutcome } from '../contract.ts';
import { limitsOf } from '../core/limits-of.ts';
import { argumentsOf, type Call } from '../core/run.ts';
import type { Step } from '../core/turn.ts';
import { failedOutcome } from './failures.ts';
import { inOrder } from './in-order.ts';
import type { LiveRun } from './live-run.ts';
import { runToolActivity } from './proxies.ts';
import { untilStopped } from './until-stopped.ts';

type RunCallsStep = Extract<Step, { kind: 'run-calls' }>;

/** Runs the calls of a reply: each starts when the calls it waits for have ended and a place is free. */
export async function runCalls(live: LiveRun, { calls, waitsFor }: RunCallsStep): Promise<void> {
  const before = live.stopWanted();
  if (before !== undefined) return live.happened({ kind: before });
  const limits = limitsOf(live.run);
  const { scope } = live;
  const ended = await untilStopped(
    live,
    limits.cancelGraceMs,
    inOrder(calls, waitsFor, limits.maxParallel, (call) =>
      call.outcome || scope.consideredCancelled ? undefined : run(live, call),
    ),
  );
  if (ended.stopped !== undefined && live.stopWanted() === ended.stopped)
    live.happened({ kind: ended.stopped });
}

function run(live: LiveRun, call: Call): Promise<void> | undefined {
  const { phase } = live.run.turn ?? {};
  if (phase?.at !== 'running') return undefined;
  const { index } = call;
  const limits = limitsOf(live.run);
  const args = argumentsOf(call, phase.message);
  const input: RunToolInput = {
    agent: live.run.agent,
    key: call.key,
    id: call.id,
    args,
    ...(call.argsRef === undefined ? {} : { argsRef: call.argsRef }),
    root: workflowInfo().firstExecutionRunId,
    timeoutMs: call.timeoutMs ?? limits.toolTimeoutMs,
    attempts: call.attempts ?? limits.toolAttempts,
    maxChars: limits.toolResultMaxChars,
  };
  live.happened({ kind: 'call-started', index });
  // A stop waits for it only so long: what comes later must not become the outcome of the next round's call of this index.
  const settled = (outcome: ToolOutcome, recorded: boolean): void => {
    if (callOf(live, index)?.key === call.key)
      live.happened({ kind: 'call-settled', index, outcome, recorded });
  };
  return runToolActivity(call.tool ?? call.name, input, {
    // The UI shows the activity's type, the tool's name, before it.
    summary: JSON.stringify(args),
    ...(call.taskQueue === undefined ? {} : { taskQueue: call.taskQueue }),
  }).then(
    (outcome) => settled(outcome, true),
    (error: unknown) => {
      // Cancelled, it was stopped before it could say anything.
      if (!isCancellation(error)) settled(failedOutcome(call.name, error), false);
    },
  );
}

function callOf({ run: { turn } }: LiveRun, index: number): Call | undefined {
  return turn?.phase.at === 'running' ? turn.phase.calls[index] : undefined;
}
