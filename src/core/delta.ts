import type { Appended, ContextRef, Fragment, Message } from '../contract.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Entry } from './run.ts';

/**
 * Bytes that one activity is sent of a transcript. A payload over 2 MB ends the run or makes it spin, depending on the
 * server (temporal-facts, "Sizes"); half of it leaves room for a codec and for the rest of the input.
 */
const appendBytesMax = 900_000;

/** Characters of a fragment. As JSON within JSON a character has 3 bytes at most. */
const fragmentCharsMax = 290_000;

/** What an activity is sent next. */
export interface Delta {
  base?: ContextRef;
  append: Appended[];
  /** Entries that the context covers afterwards. */
  entries: number;
  /** Characters of the JSON text of the next entry that it holds as well, when that entry is too large for one payload. */
  open?: number;
  /** Nothing is left behind it. */
  whole: boolean;
}

/**
 * What the context lacks since `base`, as much of it as fits into one payload: results that stand in the history go by
 * reference, an entry that is too large alone goes in fragments. Without a base everything that is left goes as it is,
 * behind the place of the entries that an earlier run of the chain has kept.
 */
export function nextDelta(transcript: readonly Entry[], base: ContextRef | undefined, dropped = 0): Delta {
  const append: Appended[] = [];
  let bytes = 0;
  const start = base ?? (dropped > 0 ? { id: '', entries: dropped } : undefined);
  let entries = start?.entries ?? 0;
  const before = start === undefined ? {} : { base: start };
  // What the store has lost once it is not asked for again: a resend in parts would never come to its end.
  const byReference = base !== undefined && !base.resent;
  if (base?.open !== undefined) {
    const entry = transcript[entries - dropped];
    if (entry === undefined)
      throw new Error('a context holds part of a message that is not in the transcript');
    const { item, end } = fragmentOf(entry, base.open);
    append.push(item);
    if (end !== undefined) return { ...before, append, entries, open: end, whole: false };
    bytes += jsonBytes(item);
    entries++;
  }
  for (; entries < dropped + transcript.length; entries++) {
    const entry = transcript[entries - dropped];
    if (entry === undefined) break;
    const item = byReference ? (entry.result ?? entry.message) : entry.message;
    const size = jsonBytes(item) + 1;
    if (bytes + size > appendBytesMax && append.length > 0)
      return { ...before, append, entries, whole: false };
    if (size > appendBytesMax) {
      // So many bytes are more characters than a fragment has: this is never the last one.
      append.push(fragmentOf(entry, 0).item);
      return { ...before, append, entries, open: fragmentCharsMax, whole: false };
    }
    append.push(item);
    bytes += size;
  }
  return { ...before, append, entries, whole: true };
}

/** A piece of an entry's JSON text; `end` is where the next one begins, absent for the last. */
function fragmentOf({ message }: Entry, from: number): { item: Fragment; end?: number } {
  if (inPieces?.message !== message) inPieces = { message, json: JSON.stringify(message) };
  const { json } = inPieces;
  const fragment = json.slice(from, from + fragmentCharsMax);
  const end = from + fragment.length;
  if (end < json.length) return { item: { fragment }, end };
  inPieces = undefined;
  return { item: { fragment, last: true } };
}

/** The text of the message that goes in pieces now: made for each piece anew, 32 MB would take a worker half a minute. */
let inPieces: { message: Message; json: string } | undefined;
