import { codePoints, firstCodePoints, shortened } from '../code-points.ts';
import { formatted } from '../preview.ts';

/** Code points of text in one answer of `read_result`; the rest of its 2,000 is for the line above. */
export const bodyCharsMax = 1_800;
/** Code points of a line that are shown around a match: a table in JSON is one line of megabytes. */
const aroundChars = 100;

/** Matches that are counted; beyond, a search says too little to be worth the time. */
const matchesMax = 10_000;

export interface Search {
  text: string;
  /** Lines before and after. */
  context: number;
  /** Code points to skip; negative: counted from the end. */
  offset: number;
  ref: string;
}

/** The lines that contain a text, with their numbers and the position of the match, as many as fit; and how many there are. */
export function findInText(bytes: Buffer, { text, context, offset, ref }: Search): string {
  const whole = bytes.toString('utf8');
  const pattern = new RegExp(text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const startAt = offset < 0 ? codePoints(whole) + offset : offset;
  pattern.lastIndex = startAt > 0 ? firstCodePoints(whole, startAt).length : 0;

  const blocks: string[] = [];
  let room = bodyCharsMax;
  let total = 0;
  let shown = 0;
  let next: number | undefined;
  const lines = new LineCounter(whole);
  for (let match = pattern.exec(whole); match; match = pattern.exec(whole)) {
    if (++total >= matchesMax) break;
    if (next !== undefined) continue;
    const block = shortened(blockOf(whole, match, context, lines), bodyCharsMax);
    room -= codePoints(block) + 1;
    if (room < 0 && shown > 0) {
      next = lines.charsUpTo(match.index);
      continue;
    }
    blocks.push(block);
    shown++;
  }
  if (total === 0)
    return `[no match for ${JSON.stringify(shortened(text, 100))} behind character ${formatted(Math.max(0, startAt))} of ${ref}]`;
  const more = next === undefined ? '' : ` · next: read_result("${ref}", grep, offset: ${next})`;
  return `[${formatted(shown)} of ${formatted(total)}${total >= matchesMax ? ' or more' : ''} matches${more}]\n${blocks.join('\n')}`;
}

/** `12 @ 3,456: the line`, with the lines around it; the position is the match's, to page on from there. */
function blockOf(whole: string, match: RegExpExecArray, context: number, lines: LineCounter): string {
  const start = whole.lastIndexOf('\n', match.index - 1) + 1;
  const end = endOf(whole, match.index);
  const from = Math.max(start, match.index - aroundChars);
  const to = Math.min(end, match.index + match[0].length + aroundChars);
  const line = `${from > start ? '…' : ''}${whole.slice(from, to)}${to < end ? '…' : ''}`.toWellFormed();
  const number = lines.numberOf(match.index);
  const hit = `${number} @ ${lines.charsUpTo(match.index)}: ${line}`;
  if (context === 0) return hit;
  return [
    ...linesBefore(whole, start, context, number),
    hit,
    ...linesAfter(whole, end, context, number),
  ].join('\n');
}

function linesBefore(whole: string, start: number, count: number, number: number): string[] {
  const found: string[] = [];
  for (let end = start - 1; found.length < count && end >= 0;) {
    const from = end === 0 ? 0 : whole.lastIndexOf('\n', end - 1) + 1;
    found.unshift(`${number - found.length - 1}- ${shortened(whole.slice(from, end), aroundChars)}`);
    end = from - 1;
  }
  return found;
}

function linesAfter(whole: string, end: number, count: number, number: number): string[] {
  const found: string[] = [];
  for (let from = end + 1; found.length < count && from < whole.length;) {
    const to = endOf(whole, from);
    found.push(`${number + found.length + 1}- ${shortened(whole.slice(from, to), aroundChars)}`);
    from = to + 1;
  }
  return found;
}

function endOf(whole: string, at: number): number {
  const end = whole.indexOf('\n', at);
  return end === -1 ? whole.length : end;
}

/** Counts lines and code points up to ever later places, so that many matches cost one pass. */
class LineCounter {
  readonly #whole: string;
  #at = 0;
  #lines = 1;
  #chars = 0;

  constructor(whole: string) {
    this.#whole = whole;
  }

  numberOf(index: number): number {
    this.#advance(index);
    return this.#lines;
  }

  charsUpTo(index: number): number {
    this.#advance(index);
    return this.#chars;
  }

  #advance(index: number): void {
    const piece = this.#whole.slice(this.#at, index);
    this.#chars += codePoints(piece);
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) this.#lines++;
    this.#at = Math.max(this.#at, index);
  }
}
