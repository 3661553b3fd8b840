import { activityInfo, Context } from '@temporalio/activity';
import type { ResultRef, ToolMessage, ToolOutcome } from '../contract.ts';
import { toolMessage } from '../core/tool-message.ts';
import type { Store } from '../stores/store.ts';
import { getJson, putJson } from './sealed-json.ts';
import { outcomeKey } from './store-keys.ts';

/** What of an outcome becomes its message. */
type Kept = Pick<ToolOutcome, 'text' | 'files'>;

/** Keeps what the next model call needs of an outcome, so that it can go by reference. */
export async function keepOutcome(store: Store, callKey: string, outcome: ToolOutcome): Promise<void> {
  const { workflowId, runId } = activityInfo().workflowExecution ?? { workflowId: '', runId: '' };
  const key = outcomeKey(workflowId, runId, callKey, outcome.attempts ?? 1);
  const kept: Kept = { text: outcome.text, ...(outcome.files === undefined ? {} : { files: outcome.files }) };
  if (!(await putJson(store, key, kept))) {
    Context.current().log.warn('the store kept no result: the next model call will ask the run for it', {
      key,
    });
  }
}

/** The message that a reference stands for; undefined when the store has lost it. */
export async function messageOfRef(store: Store, ref: ResultRef): Promise<ToolMessage | undefined> {
  const { workflowId, runId } = activityInfo().workflowExecution ?? { workflowId: '', runId: '' };
  const kept = await getJson<Kept>(store, outcomeKey(workflowId, runId, ref.ref, ref.attempt ?? 1));
  return kept && toolMessage(ref.id, kept.text, ref.note, kept.files);
}
