import type { Content, Message, SystemMessage } from '../contract.ts';
import { joinContent } from './join-content.ts';

/** How many system messages a provider takes: one, or any number. Either way they stand at the front. */
export type SystemMessages = 'one' | 'many';

/** The name that marks an agent's own instructions in the transcript. */
const instructionsName = 'instructions';

/**
 * Puts the system messages at the front: the newest of the agent's own instructions first (earlier ones go), then the
 * others in their order. For a provider that takes only one they become one text, joined by blank lines, or one list of
 * parts when there is more than plain text in them. The name `instructions` is our own mark and isn't sent.
 */
export function frontSystem(messages: readonly Message[], allowed: SystemMessages = 'one'): Message[] {
  const systems = messages.filter((message) => message.role === 'system');
  const others = systems.filter((message) => message.name !== instructionsName);
  const instructions = systems.findLast((message) => message.name === instructionsName);
  const front = instructions ? [withoutName(instructions), ...others] : others;
  return [
    ...(allowed === 'many' || front.length < 2 ? front : [oneOf(front)]),
    ...messages.filter((message) => message.role !== 'system'),
  ];
}

function withoutName(message: SystemMessage): SystemMessage {
  const { name: _, ...rest } = message;
  return rest;
}

function oneOf(systems: SystemMessage[]): SystemMessage {
  const contents = systems.map((message) => message.content);
  const texts = contents.flatMap(plainTexts);
  return { role: 'system', content: joinContent(texts.includes(undefined) ? contents : (texts as string[])) };
}

/** The texts of a content; undefined stands for a part that is more than its text (an image, a cache mark). */
function plainTexts(content: Content): (string | undefined)[] {
  if (typeof content === 'string') return [content];
  return content.map((part) =>
    part.type === 'text' && Object.keys(part).length === 2 ? String(part.text) : undefined,
  );
}
