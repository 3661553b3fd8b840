import type { Content, Message } from '../contract.ts';
import { received } from './inbox.ts';
import { takeNextTurn } from './next-turn.ts';
import { withPart, type MessagePart } from './parts.ts';
import { isPlainObject } from './plain-object.ts';
import { startTurn, type Run, type WaitingMessage } from './run.ts';

/** A message as it came in; `messages` instead of content only for a run's input. */
export type ReceivedMessage = WaitingMessage & { messages?: Message[] };

/** A message came in. The one that the run's input was announced with starts its first turn; others wait behind it. */
export function afterMessage(run: Run, { messages, ...message }: ReceivedMessage, at: number): Run {
  if (run.inputId !== undefined && message.id === run.inputId && run.turn === undefined) {
    const { inputId: _, ...rest } = run;
    const inbox = { ...rest.inbox, seen: [...rest.inbox.seen, message.id] };
    const start: Message[] = messages ?? [{ role: 'user', content: message.content }];
    return startTurn({ ...rest, inbox }, start, [message.id], at);
  }
  // What else has come in part stays.
  return takeNextTurn({ ...run, inbox: { ...run.inbox, ...received(run.inbox, message) } }, at);
}

/** A piece of a message came in. With the last missing one the message is there; a text that is no message is dropped. */
export function afterPart(run: Run, part: MessagePart, at: number): Run {
  if (run.inbox.seen.includes(part.id)) return run;
  const { pending, whole } = withPart(run.inbox.parts ?? {}, part, at);
  const { parts: _, ...inbox } = run.inbox;
  const next: Run = {
    ...run,
    inbox: Object.keys(pending).length === 0 ? inbox : { ...inbox, parts: pending },
  };
  const message = whole === undefined ? undefined : messageIn(whole, part.id);
  return message === undefined ? next : afterMessage(next, message, at);
}

function messageIn(json: string, id: string): ReceivedMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined; // The sender cut it wrongly: there is no message to take.
  }
  if (!isPlainObject(value)) return undefined;
  const { content, messages, interrupt } = value;
  if (Array.isArray(messages)) return { id, content: '', messages: messages as Message[] };
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined;
  return { id, content: content as Content, ...(interrupt === true ? { interrupt } : {}) };
}
