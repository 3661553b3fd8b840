import type { Message, ToolMessage } from '../contract.ts';
import { changeBehind, type Round } from './rounds.ts';

/** What the model reads in the place of a result that nobody has. */
export const missingResultText =
  '[result unavailable: the outcome of this call is unknown, it may or may not have happened]';

/** Gives each declared call without a result one, right behind the others of its round (turn-semantics §6.3). */
export const backfillMissingToolResults = (messages: readonly Message[]): Message[] =>
  changeBehind(messages, withMissingResults);

export function withMissingResults({ calls, behind }: Round): Message[] {
  const answered = new Set(
    behind.flatMap((message) => (message.role === 'tool' ? message.tool_call_id : [])),
  );
  const missing = calls
    .filter((call) => !answered.has(call.id))
    .map((call): ToolMessage => ({ role: 'tool', tool_call_id: call.id, content: missingResultText }));
  return behind.toSpliced(behind.findLastIndex((message) => message.role === 'tool') + 1, 0, ...missing);
}
