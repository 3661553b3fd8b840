import { formatted } from '../preview.ts';
import { bodyCharsMax } from './find-in-text.ts';
import { countIn, skip } from './utf8.ts';

export interface Page {
  offset: number;
  limit: number;
  first?: number | undefined;
  last?: number | undefined;
  ref: string;
}

/** A page of UTF-8 text under a line that says where it stands and how to read on. Counted on the bytes: 5 MB are cheap. */
export function pageOf(bytes: Buffer, page: Page): string {
  const total = countIn(bytes);
  const [start, end] = rangeOf(bytes, total, page);
  const from = skip(bytes, 0, start);
  const text = bytes.toString('utf8', from, skip(bytes, from, end - start));
  if (start >= total)
    return `[nothing there: the result has ${formatted(total)} characters, offset ${start} is behind its end]`;
  const next = end < total ? ` · next: read_result("${page.ref}", offset: ${end})` : ' · end';
  return `[characters ${formatted(start)}–${formatted(end)} of ${formatted(total)}${next}]\n${text}`;
}

/** In code points, `end` excluded. Lines are cut at the end that is further away from what was asked for. */
function rangeOf(bytes: Buffer, total: number, { offset, limit, first, last }: Page): [number, number] {
  if (first !== undefined) {
    const end = countIn(bytes, 0, endOfLine(bytes, first));
    return [0, Math.min(end, bodyCharsMax)];
  }
  if (last !== undefined) {
    const start = countIn(bytes, 0, startOfLastLines(bytes, last));
    return [Math.max(start, total - bodyCharsMax), total];
  }
  const start = offset < 0 ? Math.max(0, total + offset) : offset;
  return [start, Math.max(start, Math.min(total, start + limit))];
}

const newline = 10;

function endOfLine(bytes: Buffer, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = bytes.indexOf(newline, at + 1);
    if (at === -1) return bytes.length;
  }
  return at;
}

function startOfLastLines(bytes: Buffer, lines: number): number {
  // A closing line break ends the last line and begins none.
  let at = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length;
  for (let line = 0; line < lines; line++) {
    at = at === 0 ? -1 : bytes.lastIndexOf(newline, at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}
