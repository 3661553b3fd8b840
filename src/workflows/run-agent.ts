import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { RunInput, RunResult } from '../contract.ts';
import { inputProblem } from '../core/input-problem.ts';
import { newRun } from '../core/run.ts';
import { conclude } from './conclude.ts';
import { LiveRun } from './live-run.ts';
import { handleMessages } from './messages.ts';
import { callModel } from './model-call.ts';
import { openTurn } from './open-turn.ts';
import { currentRules } from './patches.ts';
import { runCalls } from './tool-calls.ts';
import { waitForMessage } from './wait.ts';

/**
 * Runs an agent inside a workflow. All decisions are in the core: this asks it what to do next, does it, and tells it what
 * happened. A second one in the same workflow would answer to the same signals and queries: run that as a child workflow.
 *
 * @throws ApplicationFailure of type `InvalidInput`, not retryable, when the input has not the shape of `RunInput`
 */
export async function runAgent(input: RunInput): Promise<RunResult> {
  const problem = inputProblem(input);
  if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem, 'InvalidInput');
  const live = new LiveRun(newRun(input, currentRules(), Date.now()));
  handleMessages(live);
  // A cancel request is an event like any other: what is in flight gets time to say what it did.
  CancellationScope.current().cancelRequested.catch(() => live.requestCancel());
  return await CancellationScope.nonCancellable(() => loop(live));
}

async function loop(live: LiveRun): Promise<RunResult> {
  for (;;) {
    const step = live.next();
    switch (step.kind) {
      case 'open-turn':
        await openTurn(live);
        break;
      case 'call-model':
        await callModel(live, step);
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
}
