import type { Message } from '../contract.ts';
import { changeBehind, type Round } from './rounds.ts';

/**
 * Puts the results of a round right behind its assistant message, in call order; whatever stood between them goes behind
 * them, in its order. Providers refuse a request in which anything stands between a call and its result.
 */
export const orderToolResults = (messages: readonly Message[]): Message[] =>
  changeBehind(messages, withResultsFirst);

export function withResultsFirst({ calls, behind }: Round): Message[] {
  const results = calls.flatMap(
    (call) => behind.find((message) => message.role === 'tool' && message.tool_call_id === call.id) ?? [],
  );
  const placed = new Set<Message>(results);
  return [...results, ...behind.filter((message) => !placed.has(message))];
}
