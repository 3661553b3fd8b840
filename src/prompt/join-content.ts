import type { Content, ContentPart } from '../contract.ts';

/** Texts joined by a blank line; with a list of parts among them, the parts of all, in order (turn-semantics §5). */
export function joinContent(contents: readonly Content[]): Content {
  if (contents.every((content) => typeof content === 'string')) return contents.join('\n\n');
  return contents.flatMap((content): ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}
