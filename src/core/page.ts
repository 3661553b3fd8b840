/** A page of a list of entries; positions are counted from the start of the conversation. */
export interface Page<T> {
  items: T[];
  /** The position to ask for next; absent on the last page. */
  next?: number;
  /** One entry that is too large for a page: a piece of its JSON text, instead of items. */
  piece?: { text: string; nextOffset?: number };
  /** What stands before this run's own entries is in this run of the chain; ask there first. */
  before?: { runId: string; entries: number; seq: number };
}

/** Characters of JSON a page may have. In UTF-8 a character of JSON text is 3 bytes at most, so a page stays under 1 MB. */
const pageCharsMax = 330_000;

/** Characters of a piece: as JSON within JSON, a character may be escaped too. */
const pieceCharsMax = 160_000;

/**
 * The entries from a position on, as many as fit into a query's answer (temporal-facts: under 2 MB, or it fails). An entry
 * that is too large alone comes in pieces, from `offset` on.
 */
export function pageOf<T>(list: readonly T[], from: number, offset = 0): Page<T> {
  const start = Math.max(0, Math.floor(from));
  let chars = 0;
  let end = start;
  for (; end < list.length; end++) {
    const json = JSON.stringify(list[end]);
    chars += json.length;
    if (chars > pageCharsMax && end > start) break;
    if (chars > pageCharsMax) return pieceOf(json, start, offset, list.length);
  }
  const items = list.slice(start, end);
  return end < list.length ? { items, next: end } : { items };
}

function pieceOf<T>(json: string, position: number, offset: number, length: number): Page<T> {
  const text = json.slice(offset, offset + pieceCharsMax);
  const nextOffset = offset + text.length;
  if (nextOffset < json.length) return { items: [], next: position, piece: { text, nextOffset } };
  return position + 1 < length
    ? { items: [], next: position + 1, piece: { text } }
    : { items: [], piece: { text } };
}
