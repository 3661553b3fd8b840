import { CancellationScope, isCancellation, workflowInfo } from '@temporalio/workflow';
import type { RunToolInput, ToolOutcome } from '../contract.ts';
import { limitsOf } from '../core/limits-of.ts';
import { argumentsOf, type Call } from '../core/run.ts';
import type { Step } from '../core/turn.ts';
import { failedOutcome } from './failures.ts';
import type { LiveRun } from './live-run.ts';
import { runToolActivity } from './proxies.ts';
import { untilStopped } from './until-stopped.ts';

type RunCallsStep = Extract<Step, { kind: 'run-calls' }>;

/** Runs the calls of a reply: each starts when the calls it waits for have ended and a place is free. */
export async function runCalls(live: LiveRun, { calls, waitsFor }: RunCallsStep): Promise<void> {
  const before = live.stopWanted();
  if (before !== undefined) return live.happened({ kind: before });
  const limits = limitsOf(live.run);
  const place = places(limits.maxParallel);
  const ended = await untilStopped(live, limits.cancelGraceMs, async () => {
    const done: Promise<void>[] = [];
    for (const call of calls) {
      done.push(
        (async () => {
          await Promise.all((waitsFor[call.index] ?? []).map((index) => done[index]));
          if (call.outcome) return;
          await place.taken();
          const outcome = CancellationScope.current().consideredCancelled ? undefined : await ran(live, call);
          place.left();
          if (outcome) live.happened({ kind: 'call-settled', index: call.index, ...outcome });
        })(),
      );
    }
    await Promise.all(done);
  });
  if (ended.stopped !== undefined && live.stopWanted() === ended.stopped)
    live.happened({ kind: ended.stopped });
}

/** At most `max` at a time, in the order they came. No `condition` here: it rejects when the round is stopped. */
function places(max: number): { taken(): Promise<void>; left(): void } {
  const queue: (() => void)[] = [];
  let free = max;
  return {
    async taken() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    left() {
      const next = queue.shift();
      if (next) next();
      else free++;
    },
  };
}

/** Undefined when the call was stopped before it could say anything. */
async function ran(
  live: LiveRun,
  call: Call,
): Promise<{ outcome: ToolOutcome; recorded: boolean } | undefined> {
  const { phase } = live.run.turn ?? {};
  if (phase?.at !== 'running') return undefined;
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
  // The UI shows the activity's type, the tool's name, before it.
  const summary = JSON.stringify(args);
  live.happened({ kind: 'call-started', index: call.index });
  try {
    const outcome = await runToolActivity(call.tool ?? call.name, input, {
      summary,
      ...(call.taskQueue === undefined ? {} : { taskQueue: call.taskQueue }),
    });
    return { outcome, recorded: true };
  } catch (error) {
    if (isCancellation(error)) return undefined;
    return { outcome: failedOutcome(call.name, error), recorded: false };
  }
}
