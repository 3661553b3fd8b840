import type { Message } from '../contract.ts';
import { changeRounds, type Round } from './rounds.ts';

/**
 * Makes call ids that repeat unique, within a message and from one to the next, and gives an id to calls without one (an
 * empty id). The n-th result of a repeated id goes to its n-th call. Some models count their calls anew in each reply, and
 * some servers refuse an id that an earlier message used (Anthropic, MiniMax). Only the later one changes, so that the
 * beginning of a request stays as it was.
 */
export function uniqueCallIds(messages: readonly Message[]): Message[] {
  const used = new Set<string>();
  return changeRounds(messages, (round) => {
    const { assistant, behind } = round;
    if (assistant === undefined) return behind;
    const ids = round.calls.map((call) => call.id);
    if (!ids.every((id, index) => id !== '' && !used.has(id) && ids.indexOf(id) === index))
      return renamed(round, ids, used);
    for (const id of ids) used.add(id);
    return [assistant, ...behind];
  });
}

function renamed({ assistant, calls, behind }: Round, ids: string[], used: Set<string>): Message[] {
  // A result's id counts as taken too: a new id must not adopt a stray result.
  const taken = new Set([
    ...used,
    ...ids,
    ...behind.flatMap((message) => (message.role === 'tool' ? message.tool_call_id : [])),
  ]);
  const newIds = new Map<string, string[]>();
  const renamedCalls = calls.map((call) => {
    const earlier = newIds.get(call.id);
    const stays = call.id !== '' && earlier === undefined && !used.has(call.id);
    const id = stays ? call.id : freeId(call.id, taken);
    newIds.set(call.id, [...(earlier ?? []), id]);
    return id === call.id ? call : { ...call, id };
  });
  for (const { id } of renamedCalls) used.add(id);
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
