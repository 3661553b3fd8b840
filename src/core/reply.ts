import type { AssistantMessage, Content, FinishReason, ModelReply } from '../contract.ts';

/** Null, or nothing left after trimming Unicode white space (turn-semantics, head). */
export const isBlank = (text: string | null): boolean => text === null || text.trim() === '';

/** The text of a content; parts that hold no text count for nothing. */
export function textOf(content: Content | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? String(part.text) : '')).join('');
}

/** Text of a reply, a refusal's included. */
export const replyText = (message: AssistantMessage): string => {
  const text = textOf(message.content);
  return isBlank(text) && message.refusal !== undefined ? message.refusal : text;
};

/** The reply's finish reason, the default applied. */
export function finishOf(reply: ModelReply): FinishReason {
  if (reply.finish !== undefined) return reply.finish;
  return reply.message.tool_calls?.length ? 'tool_calls' : 'stop';
}

/** Calls run only behind these reasons: behind any other a call may have been cut off (turn-semantics §2.4). */
export const callsRunBehind = (finish: FinishReason): boolean => finish === 'tool_calls' || finish === 'stop';

/** A blank reply is asked for again unless its reason says why it is blank (turn-semantics §4.1). */
export const isEmptyReply = (text: string, finish: FinishReason): boolean =>
  isBlank(text) && !['error', 'length', 'refusal', 'content_filter'].includes(finish);

/** The message without its calls. */
export function withoutCalls(message: AssistantMessage): AssistantMessage {
  if (message.tool_calls === undefined) return message;
  const { tool_calls: _, ...rest } = message;
  return rest as AssistantMessage;
}
