/** A mark that opens or closes thinking in a reply's text. `pair` tells which marks belong together. */
export interface ThinkingMark {
  start: number;
  end: number;
  pair: number;
  opens: boolean;
}

/** What models write: tags (attributes are allowed), and the marks of OpenThoughts, Magistral and Kimi. */
const pairs: [open: string, close: string][] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'seed:think'].map((tag): [string, string] => [
    `<${tag}(?:\\s[^<>\\n]{0,200})?>`,
    `</${tag}\\s{0,8}>`,
  ]),
  ['<\\|begin_of_thought\\|>', '<\\|end_of_thought\\|>'],
  ['\\[THINK\\]', '\\[/THINK\\]'],
  ['◁think▷', '◁/think▷'],
];
const anyMark = new RegExp(pairs.flatMap(([open, close]) => [`(${open})`, `(${close})`]).join('|'), 'giu');

/** Longest mark without attributes: how much of a stream's end may be the beginning of one. */
export const markCharsMax = 24;

/** All marks of a text, in order. */
export function thinkingMarks(text: string): ThinkingMark[] {
  return Array.from(text.matchAll(anyMark), (match) => {
    const group = match.slice(1).findIndex((part) => part !== undefined);
    return {
      start: match.index,
      end: match.index + match[0].length,
      pair: group >> 1,
      opens: group % 2 === 0,
    };
  });
}
