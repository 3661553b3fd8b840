import { activityInfo } from '@temporalio/activity';
import type { AssistantMessage, JsonObject, OpenAIToolCall, PlannedCall } from '../contract.ts';
import { jsonBytes } from '../core/json-bytes.ts';
import type { Store } from '../stores/store.ts';
import { refusal } from '../tools/refusal.ts';
import { putJson } from './sealed-json.ts';
import { argumentsKey } from './store-keys.ts';

/** Bytes of a reply and its plan that enter the history (turn-semantics §8, "A reply over 512 KB"). */
const replyBytesMax = 512_000;

/** Code points of a reply's text that enter it, when the whole is too large. */
const textCharsMax = 100_000;

export interface FittedReply {
  message: AssistantMessage;
  plan?: PlannedCall[];
}

/**
 * Makes a reply fit into the history. The largest arguments go to the store and into the history as a reference: the
 * message shows `{}` in their place, the tool gets them whole. Text beyond the limit is cut with a note.
 */
export async function fitReply(reply: FittedReply, store: Store): Promise<FittedReply> {
  let bytes = jsonBytes(reply);
  if (bytes <= replyBytesMax) return reply;
  const { plan = [] } = reply;
  const calls = [...(reply.message.tool_calls ?? [])];
  const fitted = [...plan];
  const bySize = calls.map((call, index) => ({ index, size: sizeOf(call, plan[index]) }));
  for (const { index, size } of bySize.sort((a, b) => b.size - a.size)) {
    if (bytes <= replyBytesMax) break;
    const [call, planned] = [calls[index], fitted[index]];
    if (!call || !planned) continue;
    calls[index] = { ...call, function: { ...call.function, arguments: '{}' } };
    fitted[index] = await byReference(call, planned, index, store);
    bytes -= size;
  }
  const message: AssistantMessage = { ...reply.message, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  if (bytes > replyBytesMax) message.content = cutContent(message.content);
  return { message, ...(reply.plan === undefined ? {} : { plan: fitted }) };
}

const sizeOf = (call: OpenAIToolCall, planned: PlannedCall | undefined): number =>
  jsonBytes(call.function.arguments) + (planned?.args === undefined ? 0 : jsonBytes(planned.args));

async function byReference(
  call: OpenAIToolCall,
  planned: PlannedCall,
  index: number,
  store: Store,
): Promise<PlannedCall> {
  const { args, ...rest } = planned;
  if (planned.answer) return rest;
  const { workflowId, runId } = activityInfo().workflowExecution ?? { workflowId: '', runId: '' };
  const argsRef = argumentsKey(workflowId, runId, activityInfo().activityId, activityInfo().attempt, index);
  const whole = args ?? (JSON.parse(call.function.arguments) as JsonObject);
  if (await putJson(store, argsRef, whole)) return { ...rest, argsRef };
  return {
    ...rest,
    answer: refusal(
      'ArgumentsTooLarge',
      `${call.function.name} was not run: its arguments have ${jsonBytes(whole)} bytes, and the store that keeps large ones can't be written to.`,
      'Send less at once, or write the data to a file with another tool first.',
    ),
  };
}

function cutContent(content: AssistantMessage['content']): AssistantMessage['content'] {
  if (typeof content !== 'string') return content;
  const chars = Array.from(content);
  if (chars.length <= textCharsMax) return content;
  return `${chars.slice(0, textCharsMax).join('')}\n[cut: ${chars.length} characters, of which the first ${textCharsMax} are kept]`;
}
