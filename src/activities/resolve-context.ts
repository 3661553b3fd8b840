import { activityInfo, Context } from '@temporalio/activity';
import type { Appended, CallModelInput, Message, ResultRef } from '../contract.ts';
import { toolMessage } from '../core/tool-message.ts';
import type { Page } from '../core/page.ts';
import type { ActivityDeps } from './deps.ts';
import { contextMissing } from './failures.ts';
import { outcomeKey } from './store-keys.ts';

/** A run that can't answer within this is busy or has no worker; sending whole messages is quicker. */
const queryDeadlineMs = 3_000;

export interface ResolvedContext {
  id: string;
  messages: readonly Message[];
  /** How the context was found when the store didn't have it. */
  rebuilt?: boolean;
}

/**
 * The whole conversation that a request is about: `base` and `append` with every reference resolved. What the store lost
 * comes from the run itself, by a query that leaves nothing in its history.
 *
 * @throws ApplicationFailure of type `ContextMissing` when neither has it
 */
export async function resolveContext(deps: ActivityDeps, input: CallModelInput): Promise<ResolvedContext> {
  const { base } = input;
  const found = base === undefined ? [] : await deps.contexts.load(base.id);
  if (found !== undefined) {
    const added = await resolveAll(deps, input.append);
    if (added !== undefined) {
      return await deps.contexts.extend(base && { id: base.id, messages: found }, added);
    }
  }
  const asked = deps.recoverByQuery ? await askRun((base?.entries ?? 0) + input.append.length) : undefined;
  if (asked === undefined) throw contextMissing(`context ${base?.id ?? 'of the run'}`);
  return { ...(await deps.contexts.extend(undefined, asked)), rebuilt: true };
}

async function resolveAll(deps: ActivityDeps, append: Appended[]): Promise<Message[] | undefined> {
  const messages = await Promise.all(
    append.map((item) => ('role' in item ? item : resolveResult(deps, item))),
  );
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

async function resolveResult(deps: ActivityDeps, ref: ResultRef): Promise<Message | undefined> {
  const { workflowId, runId } = activityInfo().workflowExecution ?? { workflowId: '', runId: '' };
  const bytes = await deps.store.get(outcomeKey(workflowId, runId, ref.ref, ref.attempt ?? 1));
  return bytes && toolMessage(ref.id, new TextDecoder().decode(bytes), ref.note);
}

/** The first entries of the run's transcript, page by page; undefined when the run doesn't answer. */
async function askRun(entries: number): Promise<Message[] | undefined> {
  const { workflowId, runId } = activityInfo().workflowExecution ?? { workflowId: '', runId: '' };
  try {
    const { client } = Context.current();
    const handle = client.workflow.getHandle(workflowId, runId);
    const messages: Message[] = [];
    while (messages.length < entries) {
      const page: Page<Message> = await client.withDeadline(Date.now() + queryDeadlineMs, () =>
        handle.query<Page<Message>, [number]>('transcript', messages.length),
      );
      if (page.items.length === 0) return undefined;
      messages.push(...page.items);
    }
    return messages.slice(0, entries);
  } catch (error) {
    Context.current().log.warn('the run could not be asked for its context', { error });
    return undefined;
  }
}
