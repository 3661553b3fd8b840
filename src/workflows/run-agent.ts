import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { RunInput, RunResult } from '../contract.ts';
import { inputProblem } from '../core/input-problem.ts';
import { restored } from '../core/restore.ts';
import { newRun, type Run } from '../core/run.ts';
import { noUsage } from '../core/usage.ts';
import { conclude } from './conclude.ts';
import { LiveRun } from './live-run.ts';
import { loadContext } from './load-context.ts';
import { handleMessages } from './messages.ts';
import { callModel } from './model-call.ts';
import { openTurn } from './open-turn.ts';
import { currentRules } from './patches.ts';
import { runCalls } from './tool-calls.ts';
import { waitForMessage } from './wait.ts';

type Grown = (live: LiveRun) => Promise<void> | undefined;

/**
 * Runs an agent inside a workflow. All decisions are in the core: this asks it what to do next, does it, and tells it what
 * happened. A second one in the same workflow would answer to the same signals and queries: run that as a child workflow.
 *
 * @param grown Called where nothing is in flight; a workflow that continues as a new one does it there.
 * @throws ApplicationFailure of type `InvalidInput`, not retryable, with a result in its details, when the input has not
 * the shape of `RunInput`
 */
export async function runAgent(input: RunInput, grown: Grown = () => undefined): Promise<RunResult> {
  const problem = inputProblem(input);
  if (problem !== undefined) {
    throw ApplicationFailure.nonRetryable(problem, 'InvalidInput', resultOfInvalid(problem));
  }
  const live = new LiveRun(firstState(input));
  handleMessages(live);
  // A cancel request is an event like any other: what is in flight gets time to say what it did.
  CancellationScope.current().cancelRequested.catch(() => live.requestCancel());
  return await CancellationScope.nonCancellable(() => untilFinished(live, grown));
}

function firstState(input: RunInput): Run {
  if (input.carried === undefined) return newRun(input, currentRules(), Date.now());
  try {
    return restored(input.carried);
  } catch (error) {
    // Retried, unlike a wrong input: a newer worker can read what a newer worker wrote.
    throw new Error(`the run can't be continued: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const resultOfInvalid = (message: string): RunResult => ({
  text: '',
  stopReason: 'error',
  usage: noUsage,
  iterations: 0,
  turns: 0,
  error: { type: 'invalid_input', message },
});

async function untilFinished(live: LiveRun, grown: Grown): Promise<RunResult> {
  void live.watchStops();
  for (;;) {
    live.scope = new CancellationScope();
    const result = await live.scope.run(() => loop(live, grown));
    if (result !== undefined) return result;
  }
}

/** Undefined when a stop has cancelled its scope. Only what is waited for costs a promise: see `until-stopped.ts`. */
async function loop(live: LiveRun, grown: Grown): Promise<RunResult | undefined> {
  while (!live.scope.consideredCancelled) {
    const step = live.next();
    const going = step.kind === 'call-model' || step.kind === 'wait' ? grown(live) : undefined;
    if (going !== undefined) await going;
    switch (step.kind) {
      case 'open-turn':
        await openTurn(live);
        break;
      case 'call-model':
        await callModel(live, step);
        break;
      case 'load-context':
        await loadContext(live, step);
        break;
      case 'run-calls':
        await runCalls(live, step);
        break;
      case 'wait':
        await waitForMessage(live, step.forMs);
        break;
      case 'finish':
        return conclude(live, step.end);
    }
  }
  return undefined;
}
