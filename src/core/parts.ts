import { isPlainObject } from './plain-object.ts';

/** Characters of one part: as JSON within JSON a character has 3 bytes at most, so a part stays under 1 MB. */
export const partCharsMax = 160_000;

/** Parts that one message may come in: 32 million characters. */
export const partsMax = 200;

/** A piece of a message that is too large for one signal: part `part` (from 1) of `of` of its JSON text. */
export interface MessagePart {
  id: string;
  part: number;
  of: number;
  text: string;
}

/** Parts that have come so far, by message id; `at`: when the last of them came, in ms since the epoch. */
export type PendingParts = { [id: string]: { of: number; texts: (string | null)[]; at?: number } };

/** Between two parts of a message. A sender that was silent for longer has gone, and sends all of them again if it comes back. */
const partWaitMsMax = 600_000;

/** The JSON text of a message in parts, none over the limit. */
export function partsOf(id: string, json: string): MessagePart[] {
  const of = Math.max(1, Math.ceil(json.length / partCharsMax));
  return Array.from({ length: of }, (_, i) => ({
    id,
    part: i + 1,
    of,
    text: json.slice(i * partCharsMax, (i + 1) * partCharsMax),
  }));
}

/** The parts with one more, or the whole text once none is missing. A part that came before, or fits no message, is ignored. */
export function withPart(
  pending: PendingParts,
  part: MessagePart,
  at: number,
): { pending: PendingParts; whole?: string } {
  const known = Object.hasOwn(pending, part.id) ? pending[part.id] : undefined;
  const of = known?.of ?? part.of;
  if (part.of !== of || part.part > of) return { pending };
  const texts = [...(known?.texts ?? Array<null>(of).fill(null))];
  texts[part.part - 1] ??= part.text;
  if (texts.some((text) => text === null)) return { pending: { ...pending, [part.id]: { of, texts, at } } };
  const { [part.id]: _, ...others } = pending;
  return { pending: others, whole: texts.join('') };
}

/** Without the messages whose sender has gone in the middle: nothing else would ever end them. Undefined when none is left. */
export function withoutAbandoned(pending: PendingParts = {}, at: number): PendingParts | undefined {
  const kept = Object.entries(pending).filter(([, message]) => at - (message.at ?? at) <= partWaitMsMax);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Whether a signal's payload is a part of a message. */
export const isMessagePart = (value: unknown): value is MessagePart =>
  isPlainObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['text'] === 'string' &&
  isCount(value['part']) &&
  isCount(value['of']);

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= partsMax;
