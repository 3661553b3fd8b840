import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { JsonObject, RunToolInput, ToolOutcome } from '../contract.ts';
import { bounds } from '../limits.ts';
import { fitArguments } from '../tools/arguments/fit-arguments.ts';
import type { Tool } from '../tools/define.ts';
import { isRetryableToolError, isToolError } from '../tools/errors.ts';
import { readFailure } from '../tools/failure.ts';
import { observe } from '../tools/observe.ts';
import { refusal } from '../tools/refusal.ts';
import { resultKey } from '../tools/result-key.ts';
import type { ActivityDeps } from './deps.ts';
import { Heartbeat } from './heartbeat.ts';
import { keepOutcome } from './kept-outcome.ts';
import { getJson } from './sealed-json.ts';
import { giveUpAttempt, stoppedByRun } from './stopped.ts';
import { ToolStopped, withinTime } from './within-time.ts';
import { toolContext } from './tool-context.ts';
import { cancelledOutcome, lostOutcome, timedOutOutcome } from './unknown-outcomes.ts';

/**
 * Runs one call of a tool: everything around the tool's own code is here, once. Resolves with an outcome whatever happens;
 * it rejects only to have Temporal try again, or when Temporal itself stopped the attempt.
 */
export const runTool =
  (deps: ActivityDeps, tool: Tool) =>
  async (input: RunToolInput): Promise<ToolOutcome> => {
    const heartbeat = new Heartbeat();
    try {
      const outcome = numbered(await attempt(deps, tool, input, heartbeat));
      // Not waited for: it stands in memory at once, and a worker that looks for it too early asks the run.
      void keepOutcome(deps.store, input.key, outcome);
      return outcome;
    } finally {
      heartbeat.stop();
    }
  };

async function attempt(
  deps: ActivityDeps,
  tool: Tool,
  input: RunToolInput,
  heartbeat: Heartbeat,
): Promise<ToolOutcome> {
  const given =
    input.argsRef === undefined ? input.args : await getJson<JsonObject>(deps.store, input.argsRef);
  if (given === undefined) {
    return refusal(
      'ArgumentsLost',
      `${tool.name} was not run: its arguments were too large for the history, and the store has lost them.`,
      'Call it again, with less at once if possible.',
    );
  }
  const fitted = fitArguments(tool, given, 'history');
  if (fitted.problems) {
    // The planner let them pass, so the tool's schema has changed since: a deploy in the middle.
    return refusal(
      'InvalidArguments',
      `${tool.name} was not run: ${fitted.problems.join('; ')}`,
      'Call it again as it is described now.',
    );
  }
  const args = fitted.output as Parameters<Tool['spec']['execute']>[0];
  const stop = withinTime(input.timeoutMs);
  const context = toolContext(input, stop.signal, heartbeat);
  try {
    const lost = await afterLostAttempt(deps, tool, input, heartbeat, () =>
      tool.spec.verify?.(args, context),
    );
    if (lost) return lost;
    const value = await stop.race(Promise.resolve(tool.spec.execute(args, context)));
    // Returned or thrown, an error is an error.
    if (isToolError(value) || isRetryableToolError(value)) throw value;
    return await observed(deps, tool, input, value);
  } catch (error) {
    if (error instanceof ToolStopped) return await stoppedOutcome(tool, input, heartbeat, error);
    return failed(tool, input, heartbeat, error);
  } finally {
    stop.clear();
  }
}

/**
 * An attempt before this one was lost with its worker. A tool that may be repeated is run again, within bounds; any other
 * is asked whether the call happened, and if it can't say, the outcome is unknown: it is never run twice.
 */
async function afterLostAttempt(
  deps: ActivityDeps,
  tool: Tool,
  input: RunToolInput,
  heartbeat: Heartbeat,
  verify: () => ReturnType<NonNullable<Tool['spec']['verify']>> | undefined,
): Promise<ToolOutcome | undefined> {
  if (heartbeat.deaths === 0) return undefined;
  if (heartbeat.deaths > bounds.toolWorkerDeathsMax) return lostOutcome(tool.name, heartbeat.deaths);
  if (mayRepeat(tool) || !heartbeat.previousAttemptLost) return undefined;
  const verified = await verify();
  if (verified === undefined) return lostOutcome(tool.name, heartbeat.deaths);
  return verified.happened ? await observed(deps, tool, input, verified.result) : undefined;
}

const mayRepeat = ({ spec }: Tool): boolean => spec.readOnly === true || spec.idempotent === true;

async function observed(
  deps: ActivityDeps,
  tool: Tool,
  input: RunToolInput,
  value: unknown,
): Promise<ToolOutcome> {
  const { workflowExecution } = activityInfo();
  return await observe(value, {
    tool: tool.name,
    spec: tool.spec,
    maxChars: input.maxChars,
    ref: input.key,
    key: resultKey({ runId: workflowExecution?.workflowId ?? '', rootRunId: input.root }, input.key),
    store: deps.store,
  });
}

/** Tries again while tries are left and worth it; the last failure is what the model reads. */
function failed(tool: Tool, input: RunToolInput, heartbeat: Heartbeat, error: unknown): ToolOutcome {
  const { readOnly, idempotent } = tool.spec;
  const failure = readFailure(error, { readOnly, idempotent, args: input.args });
  const { failures } = heartbeat.failed(failure.class, Date.now());
  if (failure.retryable && failures < input.attempts) {
    throw ApplicationFailure.create({
      message: failure.text(failures),
      type: 'ToolFailed',
      nextRetryDelay: failure.retryAfterMs ?? 1_000 * 2 ** (failures - 1),
    });
  }
  return {
    status: failure.status,
    text: failure.text(failures),
    class: failure.class,
    ...(failure.violation === undefined ? {} : { violation: failure.violation }),
  };
}

/** The tool's time was up, or the run or Temporal stopped it, and it didn't end by itself within the grace. */
async function stoppedOutcome(
  tool: Tool,
  input: RunToolInput,
  heartbeat: Heartbeat,
  stopped: ToolStopped,
): Promise<ToolOutcome> {
  if (stopped.why === 'cancelled')
    return stoppedByRun() ? cancelledOutcome(tool.name) : await giveUpAttempt();
  if (!mayRepeat(tool)) return timedOutOutcome(tool.name, input.timeoutMs);
  return failed(tool, input, heartbeat, stopped);
}

/** The attempt stands in the outcome: a later request finds the text that belongs to the history by it. */
function numbered(outcome: ToolOutcome): ToolOutcome {
  const { attempt } = activityInfo();
  return attempt === 1 ? outcome : { ...outcome, attempts: attempt };
}
