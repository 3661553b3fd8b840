/** Length in code points: a surrogate pair counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if (isPairAt(text, i)) {
      count--;
      i++;
    }
  }
  return count;
}

/** The first `count` code points; never half of a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) end += isPairAt(text, end) ? 2 : 1;
  return text.slice(0, end);
}

/** The text on at most `max` code points, the last of them `…` when something was cut off. */
export function shortened(text: string, max: number): string {
  const start = firstCodePoints(text, max);
  return start.length === text.length ? text : `${firstCodePoints(text, max - 1)}…`;
}

const isPairAt = (text: string, i: number): boolean =>
  (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
