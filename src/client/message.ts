import type { ContentPart, InjectedMessage, Message, RunInput } from '../contract.ts';
import { isBlankContent } from '../core/inbox.ts';
import { utf8Bytes } from '../core/json-bytes.ts';
import { partsOf, type MessagePart } from '../core/parts.ts';
import { clientLimits } from '../limits.ts';
import { isContent } from '../core/content.ts';
import { MessageTooLargeError } from './errors.ts';

/** Payloads of signal `inject` that bring one message: one, or its parts when it is too large for one. */
export type Signals = [InjectedMessage | MessagePart, ...MessagePart[]];

/**
 * @param runId Workflow id of the run, for error messages.
 * @throws TypeError when `content` is blank or no content at all: the run would ignore it
 * @throws MessageTooLargeError over 32 MB
 */
export function signalsOf(runId: string, message: InjectedMessage & { id: string }): Signals {
  const { content } = message;
  if (!isContent(content)) {
    throw new TypeError(
      `content is ${JSON.stringify(content)?.slice(0, 100) ?? 'absent'}: give a text, or a list of parts such as { type: "text", text }`,
    );
  }
  if (isBlankContent(content))
    throw new TypeError('content is blank: a run ignores such a message, so nothing was sent');
  const json = JSON.stringify(message);
  return checkedBytes(runId, json) <= clientLimits.signalBytesMax
    ? [message]
    : (partsOf(message.id, json) as Signals);
}

/** A run's input as it starts with it: as it is, or announced by an id and sent behind in parts. */
export function startInput(
  runId: string,
  input: string | ContentPart[] | Message[],
  inputId: string,
): { given: Pick<RunInput, 'input' | 'inputId'>; parts: MessagePart[] } {
  if (checkedBytes(runId, JSON.stringify(input)) <= clientLimits.signalBytesMax)
    return { given: { input }, parts: [] };
  const conversation = Array.isArray(input) && input.some((item) => 'role' in item);
  const whole = conversation ? { id: inputId, messages: input } : { id: inputId, content: input };
  return { given: { input: [], inputId }, parts: partsOf(inputId, JSON.stringify(whole)) };
}

function checkedBytes(runId: string, json: string): number {
  const bytes = utf8Bytes(json);
  if (bytes > clientLimits.messageBytesMax)
    throw new MessageTooLargeError(runId, bytes, clientLimits.messageBytesMax);
  return bytes;
}
