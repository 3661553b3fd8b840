import type { Message } from '../contract.ts';
import { changeBehind, type Round } from './rounds.ts';

/**
 * Keeps a tool message only if the nearest assistant message before it declares its id and no result for that id came in
 * between (turn-semantics §6.2). An id that is used again in a later round is no orphan.
 */
export const dropOrphanToolResults = (messages: readonly Message[]): Message[] =>
  changeBehind(messages, withoutOrphans);

export function withoutOrphans({ calls, behind }: Round): Message[] {
  const open = new Set(calls.map((call) => call.id));
  return behind.filter((message) => message.role !== 'tool' || open.delete(message.tool_call_id));
}
