import { activityInfo, Context } from '@temporalio/activity';
import type { AssistantMessage, CallModelInput, ModelReply } from '../contract.ts';
import { callsRunBehind, isBlank, replyText } from '../core/reply.ts';
import { slimUsage } from '../core/usage.ts';
import { bounds } from '../limits.ts';
import type { ModelAnswer } from '../models/model.ts';
import { materialize } from '../prompt/materialize.ts';
import { prepare } from '../prompt/prepare.ts';
import { offered } from '../tools/offered.ts';
import type { Tool } from '../tools/define.ts';
import { planCalls } from '../tools/plan.ts';
import type { ActivityDeps } from './deps.ts';
import { describe, modelFailure, notRetryable } from './failures.ts';
import { fitReply } from './fit-reply.ts';
import { Heartbeat } from './heartbeat.ts';
import { requestNotes } from './request-notes.ts';
import { resolveContext, type ResolvedContext } from './resolve-context.ts';
import { giveUpAttempt, stoppedByRun } from './stopped.ts';
import { storeDigest } from './store-keys.ts';

/**
 * One model request, from the delta to the plan: resolves the transcript, prepares it for the provider, asks once, and
 * decides what each call of the reply needs. A reply that an earlier attempt paid for and kept is returned as it is.
 */
export const callModel =
  (deps: ActivityDeps) =>
  async (input: CallModelInput): Promise<ModelReply> => {
    const heartbeat = new Heartbeat();
    try {
      const kept = heartbeat.deaths > 0 ? await keptReply(deps) : undefined;
      if (kept) return kept;
      if (heartbeat.deaths > bounds.modelWorkerDeathsMax) {
        throw notRetryable(
          'worker_died',
          `the worker died ${heartbeat.deaths} times during this model call`,
          activityInfo().attempt - 1,
        );
      }
      return await ask(deps, input, heartbeat);
    } finally {
      heartbeat.stop();
    }
  };

async function ask(deps: ActivityDeps, input: CallModelInput, heartbeat: Heartbeat): Promise<ModelReply> {
  const { client, model, tools } = equipment(deps, input);
  const context = await resolveContext(deps, input, 'memory');
  const textOnly = input.purpose !== undefined;
  const answer = await client
    .complete({
      model,
      messages: await materialize(prepare([...context.messages, ...requestNotes(input.purpose)]), deps.store),
      tools: offered(tools),
      textOnly,
      signal: Context.current().cancellationSignal,
      timeoutMs: input.timeoutMs,
    })
    .catch((error: unknown): never => {
      throw modelFailure(error, heartbeat, input.outageWaitMs, Date.now());
    });
  // Not the run but Temporal stopped this attempt (a shutdown, a lost heartbeat): another attempt asks again.
  if (answer.interrupted && !stoppedByRun()) return await giveUpAttempt();
  return await planned(deps, input, answer, context, tools);
}

/** The model and the tools of the agent, as this worker knows them. */
function equipment(
  deps: ActivityDeps,
  input: CallModelInput,
): ReturnType<ActivityDeps['models']> & { tools: Tool[] } {
  try {
    const agent = deps.registry.agent(input.agent);
    return { ...deps.models(input.model ?? agent.model), tools: deps.registry.toolsOf(input.agent) };
  } catch (error) {
    throw notRetryable('worker_configuration', describe(error));
  }
}

async function planned(
  deps: ActivityDeps,
  input: CallModelInput,
  answer: ModelAnswer,
  context: ResolvedContext,
  tools: Tool[],
): Promise<ModelReply> {
  const warnings: string[] = [];
  const { calls, finish } = answer;
  // A call that may have been cut off never runs, and a finalization request takes none (turn-semantics §2.4, §4.1).
  const runs = calls.length > 0 && callsRunBehind(finish) && input.purpose === undefined;
  if (calls.length > 0 && !runs) warnings.push(`${calls.length} call(s) dropped: finish reason ${finish}`);
  if (context.rebuilt) warnings.push('the context was rebuilt from the run: the store had lost it');
  const plan = runs ? planCalls(calls, tools) : undefined;
  warnings.push(...(plan?.warnings ?? []));
  const message = plain({
    ...answer.message,
    ...(plan === undefined ? {} : { tool_calls: plan.toolCalls }),
  }) as AssistantMessage;
  // Otherwise the core keeps nothing of the reply, or marks it, and goes on from what was asked.
  const entersAsItIs = !answer.interrupted && (runs || !isBlank(replyText(message)));
  const impliedFinish = runs ? 'tool_calls' : 'stop';
  const whole: ModelReply = {
    message,
    ...(finish === impliedFinish ? {} : { finish }),
    ...(answer.finishRaw === undefined ? {} : { finishRaw: answer.finishRaw }),
    ...(answer.thinking === undefined ? {} : { thinking: answer.thinking }),
    ...(plan === undefined ? {} : { plan: plan.plan }),
    ...(entersAsItIs ? {} : { asked: context.id }),
    context: { id: replyContextId(activityInfo().attempt), entries: context.messages.length + 1 },
    usage: slimUsage({
      ...answer.usage,
      failedRequests: answer.usage.failedRequests + activityInfo().attempt - 1,
    }),
    ...(answer.interrupted ? { interrupted: true } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  const reply = await fitReply(whole, deps.store);
  // Another worker may make the next request: what it needs is in the store before this one is done.
  await Promise.all([
    entersAsItIs ? undefined : deps.contexts.save(context),
    answer.interrupted ? undefined : deps.contexts.keepReply(context, message, reply),
  ]);
  return reply;
}

/** As it will come out of the history: a field that is undefined isn't there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Each attempt has its own: two may be under way at once, and the history says which of them counted. */
function replyContextId(attempt: number): string {
  const { activityId, workflowExecution } = activityInfo();
  const { workflowId, runId } = workflowExecution ?? { workflowId: '', runId: '' };
  return storeDigest(JSON.stringify([workflowId, runId, activityId, attempt]));
}

/** A reply is found when the attempt that paid for it died before it could return it. */
async function keptReply(deps: ActivityDeps): Promise<ModelReply | undefined> {
  const { attempt } = activityInfo();
  const oldest = Math.max(1, attempt - bounds.modelWorkerDeathsMax - 1);
  for (let before = attempt - 1; before >= oldest; before--) {
    const reply = await deps.contexts.reply(replyContextId(before));
    if (reply) return reply;
  }
  return undefined;
}
