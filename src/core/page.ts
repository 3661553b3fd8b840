/** A page of a list; `next` is the position to ask for next, absent on the last page. */
export interface Page<T> {
  items: T[];
  next?: number;
}

/** Characters of JSON a page may have. In UTF-8 a character of JSON text is 3 bytes at most, so a page stays under 1 MB. */
const pageCharsMax = 330_000;

/** The items from a position on, as many as fit; at least one, however large. */
export function pageOf<T>(list: readonly T[], from: number): Page<T> {
  let chars = 0;
  let end = Math.max(0, Math.floor(from));
  const start = end;
  while (end < list.length) {
    chars += JSON.stringify(list[end]).length;
    if (end > start && chars > pageCharsMax) break;
    end++;
  }
  const items = list.slice(start, end);
  return end < list.length ? { items, next: end } : { items };
}
