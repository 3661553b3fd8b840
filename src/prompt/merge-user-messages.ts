import type { Message, UserMessage } from '../contract.ts';
import { joinContent } from './join-content.ts';

/**
 * Neighbouring user messages become one; strict providers want the roles to alternate. The name stays when all of them
 * carry the same one. In the transcript they stay apart, so that each keeps its own turn.
 */
export function mergeUserMessages(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (let start = 0; start < messages.length;) {
    const group = usersFrom(messages, start);
    merged.push(...(group.length > 1 ? [oneOf(group)] : messages.slice(start, start + 1)));
    start += Math.max(1, group.length);
  }
  return merged;
}

/** The user messages that stand at `start` without anything between them. */
function usersFrom(messages: readonly Message[], start: number): UserMessage[] {
  const group: UserMessage[] = [];
  for (let index = start; ; index++) {
    const message = messages[index];
    if (message?.role !== 'user') return group;
    group.push(message);
  }
}

function oneOf(group: UserMessage[]): UserMessage {
  const name = group[0]?.name;
  const sameName = name !== undefined && group.every((message) => message.name === name);
  return { role: 'user', content: joinContent(group.map((m) => m.content)), ...(sameName ? { name } : {}) };
}
