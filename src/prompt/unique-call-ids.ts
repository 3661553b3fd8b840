import type { Message } from '../contract.ts';
import { changeRounds, type Round } from './rounds.ts';

/**
 * Makes call ids that repeat within one assistant message unique, and gives an id to calls without one (an empty id).
 * The n-th result of a repeated id goes to its n-th call. Replies get unique ids when they arrive, so this concerns
 * start lists from elsewhere. Ids that are used again in a later round stay: they are legal.
 */
export function uniqueCallIds(messages: readonly Message[]): Message[] {
  return changeRounds(messages, (round) => {
    const { assistant, behind } = round;
    if (assistant === undefined) return behind;
    const ids = round.calls.map((call) => call.id);
    if (new Set(ids).size === ids.length && !ids.includes('')) return [assistant, ...behind];
    return renamed(round, ids);
  });
}

function renamed({ assistant, calls, behind }: Round, ids: string[]): Message[] {
  // A result's id counts as taken too: a new id must not adopt a stray result.
  const taken = new Set([
    ...ids,
    ...behind.flatMap((message) => (message.role === 'tool' ? message.tool_call_id : [])),
  ]);
  const newIds = new Map<string, string[]>();
  const renamedCalls = calls.map((call) => {
    const earlier = newIds.get(call.id);
    const id = call.id !== '' && earlier === undefined ? call.id : freeId(call.id, taken);
    newIds.set(call.id, [...(earlier ?? []), id]);
    return id === call.id ? call : { ...call, id };
  });
  const renamedBehind = behind.map((message) => {
    const id = message.role === 'tool' ? newIds.get(message.tool_call_id)?.shift() : undefined;
    return id === undefined ? message : ({ ...message, tool_call_id: id } as Message);
  });
  return [{ ...assistant, tool_calls: renamedCalls } as Message, ...renamedBehind];
}

function freeId(id: string, taken: Set<string>): string {
  const base = id === '' ? 'call' : id;
  for (let count = id === '' ? 1 : 2; ; count++) {
    const candidate = `${base}_${count}`;
    if (taken.has(candidate)) continue;
    taken.add(candidate);
    return candidate;
  }
}
