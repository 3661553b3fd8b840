import type { Content, ContentPart, ModelReply } from '../../contract.ts';
import { jsonBytes } from '../../core/json-bytes.ts';
import { keepFile } from '../../stores/keep-file.ts';
import type { Store } from '../../stores/store.ts';
import type { LeftOut } from './left-out.ts';
import type { Part } from './part.ts';

/** Keeps the place of a part that is gone while others are still looked for by theirs. */
const gone: ContentPart = { type: 'gone' };

/** What stands in the content beside text. Images go to the store and stay as references, other parts go. */
export function contentParts({ message: { content } }: ModelReply, store: Store, leftOut: LeftOut): Part[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, index): Part[] => {
    if (part.type === 'text') return [];
    const bytes = jsonBytes(part);
    return [
      {
        kind: 'field',
        bytes,
        async shrink() {
          const stored = await storedImage(part, store);
          content[index] = stored ?? gone;
          if (stored === undefined) leftOut.add(`content[${index}], ${part.type}`, bytes);
          return stored === undefined ? bytes + 1 : bytes - jsonBytes(stored);
        },
      },
    ];
  });
}

/** Content with another text; what it holds besides stays in its place. */
export function withText(content: Content | null, text: string): Content {
  if (!Array.isArray(content)) return text;
  const first = content.findIndex(({ type }) => type === 'text');
  content.forEach((part, index) => {
    if (part.type === 'text') content[index] = index === first ? { type: 'text', text } : gone;
  });
  return content;
}

/** Content without the places of what is gone; null when nothing is left. */
export function withoutGone(content: Content | null): Content | null {
  if (!Array.isArray(content)) return content;
  const left = content.filter((part) => part !== gone);
  return left.length > 0 ? left : null;
}

/** An image in a data URL, by reference; undefined when it is none, or the store can't keep it. */
async function storedImage(part: ContentPart, store: Store): Promise<ContentPart | undefined> {
  const { url } = (part as { image_url?: { url?: unknown } | null }).image_url ?? {};
  const head = typeof url === 'string' ? /^data:(image\/[\w.+-]{1,50});base64,/.exec(url.slice(0, 80)) : null;
  if (part.type !== 'image_url' || !head?.[1]) return undefined;
  return await keepFile(store, Buffer.from(String(url).slice(head[0].length), 'base64'), head[1]);
}
