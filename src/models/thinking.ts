import { thinkingMarks } from './thinking-marks.ts';
import type { ThinkingMark } from './thinking-marks.ts';

/**
 * Splits thinking off a reply's text. Careless cutting would destroy answers that are about such marks, so a mark counts
 * only outside fenced code and inline code, and
 * - if it opens: at the start of the text or of a line, right behind another block, or right behind the end of a
 *   sentence; without a closing mark only at the start of the text or alone on its line (cut off while thinking);
 * - if it closes what was never opened (the opening stands in the prompt's template): when it is the first mark of the
 *   text, and at the start or the end of a line or right behind the end of a sentence.
 * A mark in the middle of a sentence stays text. `thinking` is absent when there was nothing but white space. Linear in
 * the text's length.
 */
export function splitThinking(text: string): { text: string; thinking?: string } {
  const marks = thinkingMarks(text);
  if (marks.length === 0) return { text };
  const thoughts: string[] = [];
  const lastClose = new Map(
    marks.flatMap((mark, at): [number, number][] => (mark.opens ? [] : [[mark.pair, at]])),
  );
  const code = codeScanner(text);
  let visible = '';
  let from = 0;
  let index = 0;

  const first = marks[0]!;
  if (!first.opens && !code.covers(first.start) && closesUnopened(text, first)) {
    thoughts.push(text.slice(0, first.start));
    from = skipSpace(text, first.end);
    code.restart(from);
    index = 1;
  }
  for (; index < marks.length; index++) {
    const mark = marks[index]!;
    if (!mark.opens || mark.start < from || code.covers(mark.start)) continue;
    const blank = visible.trim() === '' && text.slice(from, mark.start).trim() === '';
    const behindBlock = from > 0 && skipSpace(text, from) >= mark.start;
    if (!(blank || behindBlock || startsLine(text, mark.start) || endsSentence(text, mark.start))) continue;
    let closeAt = -1;
    if ((lastClose.get(mark.pair) ?? -1) > index) {
      closeAt = index + 1;
      while (marks[closeAt]!.opens || marks[closeAt]!.pair !== mark.pair) closeAt++;
    }
    if (closeAt < 0 && !blank && !(startsLine(text, mark.start) && endsLine(text, mark.end))) continue;

    visible += text.slice(from, mark.start);
    const close = marks[closeAt];
    thoughts.push(text.slice(mark.end, close?.start));
    if (!close) {
      visible = visible.trimEnd();
      from = text.length;
      break;
    }
    // The white space around a block belongs to the block: all of it at the start, else one line break.
    from = close.end;
    if (visible.trim() === '') from = skipSpace(text, from);
    else if (visible.endsWith('\n')) from = skipLineBreak(text, from);
    code.restart(from);
    index = closeAt;
  }
  const thinking = thoughts
    .map((thought) => thought.trim())
    .filter(Boolean)
    .join('\n\n');
  return { text: visible + text.slice(from), ...(thinking !== '' && { thinking }) };
}

function closesUnopened(text: string, mark: ThinkingMark): boolean {
  return startsLine(text, mark.start) || endsLine(text, mark.end) || endsSentence(text, mark.start);
}

const startsLine = (text: string, at: number): boolean =>
  /(^|\n)[^\S\n]*$/.test(text.slice(Math.max(0, at - 100), at));
const endsLine = (text: string, at: number): boolean => /^[^\S\n]*(\n|$)/.test(text.slice(at, at + 100));
const endsSentence = (text: string, at: number): boolean => at > 0 && '.!?…。！？'.includes(text[at - 1]!);

function skipSpace(text: string, at: number): number {
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}

function skipLineBreak(text: string, at: number): number {
  const end = /^[^\S\n]*\n/.exec(text.slice(at, at + 100));
  return end ? at + end[0].length : at;
}

/** Tells of ascending positions whether they are code: in a fence, or behind an odd number of backticks on their line. */
function codeScanner(text: string): { covers(at: number): boolean; restart(at: number): void } {
  const breakFrom = (at: number): number => {
    const found = text.indexOf('\n', at);
    return found < 0 ? Infinity : found;
  };
  let fence: string | undefined;
  let line = 0;
  let lineEnd = breakFrom(0);
  let read = 0;
  let ticks = 0;
  return {
    covers(at) {
      while (lineEnd < at) {
        const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text.slice(line, Math.min(lineEnd, line + 100)))?.[1];
        if (mark !== undefined) {
          if (fence === undefined) fence = mark;
          else if (mark.startsWith(fence)) fence = undefined;
        }
        line = lineEnd + 1;
        lineEnd = breakFrom(line);
        read = line;
        ticks = 0;
      }
      for (; read < at; read++) if (text[read] === '`') ticks++;
      return fence !== undefined || ticks % 2 === 1;
    },
    restart(at) {
      fence = undefined;
      line = at;
      // One search a line, not one a block: a text may be one line of a million blocks.
      if (lineEnd < at) lineEnd = breakFrom(at);
      read = at;
      ticks = 0;
    },
  };
}
