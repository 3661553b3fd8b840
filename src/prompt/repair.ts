import type { Message } from '../contract.ts';
import { wellFormedMessage } from '../text/well-formed.ts';
import { callId, repairToolCall } from './repair-tool-call.ts';
import { usableContent } from './usable-content.ts';

/** A message from a start list can be anything that JSON can say, whatever its type promises. */
type Damaged = { [field: string]: unknown };

/** Stands in the place of a tool message's missing or blank content: some providers refuse it. */
export const emptyResultText = '[empty result]';

/**
 * Mends each message on its own (turn-semantics §6.1): placeholders, nameless calls, blank messages and what is no
 * message go, arguments become the text of a JSON object, ill-formed Unicode becomes U+FFFD. A message that needs no
 * mending stays the same object.
 */
export function repair(messages: readonly Message[]): Message[] {
  return messages.flatMap((message: unknown) => {
    if (typeof message !== 'object' || message === null) return [];
    const known = mended.get(message);
    if (known !== undefined) return known === null ? [] : [known];
    const repaired = repairMessage(wellFormedMessage(message as Damaged));
    mended.set(message, repaired ?? null);
    return repaired === undefined ? [] : [repaired];
  });
}

/**
 * What became of each message, for as long as it is in memory. A conversation's messages stay the same objects from request
 * to request and are never changed, so only what is new has to be looked at.
 */
const mended = new WeakMap<object, Message | null>();

function repairMessage(message: Damaged): Message | undefined {
  switch (message.role) {
    case 'system':
    case 'user':
      return repairContent(message);
    case 'developer':
      // A newer name of the system role that only some providers know.
      return repairContent({ ...message, role: 'system' });
    case 'assistant':
      return repairAssistant(message);
    case 'tool':
      return changed(message, {
        tool_call_id: callId(message.tool_call_id),
        content: usableContent(message.content) ?? emptyResultText,
      });
    default:
      return undefined;
  }
}

function repairContent(message: Damaged): Message | undefined {
  const content = usableContent(message.content);
  return content === undefined ? undefined : changed(message, { content });
}

function repairAssistant(message: Damaged): Message | undefined {
  if (message.placeholder === true) return undefined;
  // A refusal is the text of its message; a provider that doesn't know the field would see an empty one.
  const content = usableContent(message.content) ?? usableContent(message.refusal) ?? null;
  const given = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const calls = given.flatMap((call) => repairToolCall(call) ?? []);
  if (calls.length === 0) {
    const { tool_calls: _, ...rest } = message;
    if (content === null) return undefined;
    return changed('tool_calls' in message ? rest : message, { content });
  }
  const same = calls.length === given.length && calls.every((call, index) => call === given[index]);
  return changed(message, same ? { content } : { content, tool_calls: calls });
}

/** The message with these fields; the same object when it has them already. */
function changed(message: Damaged, fields: Damaged): Message {
  const same = Object.entries(fields).every(([name, value]) => message[name] === value);
  return (same ? message : { ...message, ...fields }) as unknown as Message;
}
