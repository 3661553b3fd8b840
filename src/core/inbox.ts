import type { Content, ContentPart, UserMessage } from '../contract.ts';
import { isBlank } from './reply.ts';
import type { Inbox, WaitingMessage } from './run.ts';

/** The inbox with one more message. Blank ones and those whose id was seen before change nothing. */
export function received(inbox: Inbox, message: WaitingMessage): Inbox {
  if (isBlankContent(message.content) || inbox.seen.includes(message.id)) return inbox;
  return { ...inbox, waiting: [...inbox.waiting, message], seen: [...inbox.seen, message.id] };
}

/** A list with only an image is content; blank text and an empty list are none. */
export function isBlankContent(content: Content): boolean {
  if (typeof content === 'string') return isBlank(content);
  return content.every((part) => part.type === 'text' && isBlank(String(part.text)));
}

/** Somebody asked to stop what is running and to go on with their message. */
export const interruptWaits = (inbox: Inbox): boolean => inbox.waiting.some((message) => message.interrupt);

/**
 * Takes messages in arrival order, `max` of them, but always up to the one that interrupts: somebody stopped the run for
 * it, so the next request has to hold it. They become one user message.
 */
export function drained(inbox: Inbox, max: number): { inbox: Inbox; message: UserMessage; ids: string[] } {
  const interrupting = inbox.waiting.findLastIndex((message) => message.interrupt);
  const count = Math.max(max, interrupting + 1);
  const taken = inbox.waiting.slice(0, count);
  return {
    inbox: { ...inbox, waiting: inbox.waiting.slice(count) },
    message: { role: 'user', content: joined(taken.map((message) => message.content)) },
    ids: taken.map((message) => message.id),
  };
}

/** Texts are joined by a blank line; with parts among them, parts are concatenated. */
function joined(contents: Content[]): Content {
  if (contents.every((content) => typeof content === 'string')) return contents.join('\n\n');
  return contents.flatMap((content): ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}
