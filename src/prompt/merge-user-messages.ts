import type { Message, UserMessage } from '../contract.ts';
import { joinContent } from './join-content.ts';

/**
 * Neighbouring user messages become one; strict providers want the roles to alternate. The name stays when all of them
 * carry the same one. In the transcript they stay apart, so that each keeps its own turn.
 */
export function mergeUserMessages(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  let group: UserMessage[] = [];
  const close = (): void => {
    const [first] = group;
    if (first !== undefined) merged.push(group.length === 1 ? first : oneOf(group));
    group = [];
  };
  for (const message of messages) {
    if (message.role === 'user') {
      group.push(message);
      continue;
    }
    if (group.length > 0) close();
    merged.push(message);
  }
  close();
  return merged;
}

function oneOf(group: UserMessage[]): UserMessage {
  const name = group[0]?.name;
  const sameName = name !== undefined && group.every((message) => message.name === name);
  return { role: 'user', content: joinContent(group.map((m) => m.content)), ...(sameName ? { name } : {}) };
}
