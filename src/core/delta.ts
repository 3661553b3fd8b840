import type { Appended, ContextRef } from '../contract.ts';
import { jsonBytes, utf8Bytes } from './json-bytes.ts';
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
 * reference, an entry that is too large alone goes in fragments. Without a base everything that is left goes as it is.
 */
export function nextDelta(transcript: readonly Entry[], base: ContextRef | undefined, dropped = 0): Delta {
  const append: Appended[] = [];
  let bytes = 0;
  let entries = base?.entries ?? dropped;
  const before = base === undefined ? {} : { base };
  if (base?.open !== undefined) {
    const entry = transcript[entries - dropped];
    if (entry === undefined)
      throw new Error('a context holds part of a message that is not in the transcript');
    const part = fragment(entry, base.open);
    append.push({ fragment: part.text, ...(part.end === undefined ? { last: true } : {}) });
    if (part.end !== undefined) return { ...before, append, entries, open: part.end, whole: false };
    bytes += utf8Bytes(part.text);
    entries++;
  }
  for (; entries < dropped + transcript.length; entries++) {
    const entry = transcript[entries - dropped];
    if (entry === undefined) break;
    const item = base === undefined ? entry.message : (entry.result ?? entry.message);
    const size = jsonBytes(item);
    if (bytes + size > appendBytesMax && append.length > 0)
      return { ...before, append, entries, whole: false };
    if (size > appendBytesMax) {
      const part = fragment(entry, 0);
      append.push({ fragment: part.text });
      return { ...before, append, entries, open: part.end ?? part.text.length, whole: false };
    }
    append.push(item);
    bytes += size;
  }
  return { ...before, append, entries, whole: true };
}

/** A piece of an entry's JSON text; `end` is where the next one begins, absent for the last. */
function fragment(entry: Entry, from: number): { text: string; end?: number } {
  const json = JSON.stringify(entry.message);
  const text = json.slice(from, from + fragmentCharsMax);
  return from + text.length < json.length ? { text, end: from + text.length } : { text };
}
