import { activityInfo, Context } from '@temporalio/activity';
import type { ContextRef, Message } from '../contract.ts';
import type { Page } from '../core/page.ts';
import { entriesOf } from '../entries-of.ts';
import type { ContextItem } from './contexts.ts';

/** A run that can't answer within this is busy or has no worker; sending whole messages is quicker. */
const queryDeadlineMs = 3_000;

/**
 * The conversation up to a position, from the run itself and the runs before it in its chain; undefined when one of them
 * doesn't answer. A query leaves nothing in a history.
 */
export async function askRun(reach: Omit<ContextRef, 'id'>): Promise<ContextItem[] | undefined> {
  const { workflowId, runId } = activityInfo().workflowExecution ?? { workflowId: '', runId: '' };
  try {
    const messages = await messagesOf(
      workflowId,
      runId,
      0,
      reach.entries + (reach.open === undefined ? 0 : 1),
    );
    const items: ContextItem[] = messages.slice(0, reach.entries);
    if (messages.length < reach.entries) return undefined;
    if (reach.open === undefined) return items;
    const cut = messages[reach.entries];
    return cut && [...items, { fragment: JSON.stringify(cut).slice(0, reach.open) }];
  } catch (error) {
    Context.current().log.warn('the run could not be asked for its context', { error });
    return undefined;
  }
}

/** Entries from a position up to another; what an earlier run of the chain holds is asked there. */
async function messagesOf(
  workflowId: string,
  runId: string,
  from: number,
  until: number,
): Promise<Message[]> {
  const { client } = Context.current();
  const handle = client.workflow.getHandle(workflowId, runId);
  let before: Page<Message>['before'];
  const messages: Message[] = [];
  const ask = async (position: number, offset: number): Promise<Page<Message>> => {
    const page = await client.withDeadline(Date.now() + queryDeadlineMs, () =>
      handle.query<Page<Message>, [number, number]>('transcript', position, offset),
    );
    before ??= page.before;
    return page;
  };
  for await (const message of entriesOf(ask, from)) {
    messages.push(message);
    if (from + messages.length + ((before?.entries ?? from) - from) >= until) break;
  }
  if (before === undefined || before.entries <= from) return messages.slice(0, until - from);
  const earlier = await messagesOf(workflowId, before.runId, from, Math.min(until, before.entries));
  return [...earlier, ...messages].slice(0, until - from);
}
