import type { Content, ContentPart, Message, StoredPart } from '../contract.ts';
import type { Store } from '../stores/store.ts';

/**
 * Puts the bytes of stored images and files into the messages of a request, and nowhere else: histories and contexts hold
 * references only. What the store has lost becomes a line that says so. Messages without stored parts stay the same objects.
 */
export async function materialize(messages: readonly Message[], store: Store): Promise<Message[]> {
  if (!messages.some(holdsStored)) return [...messages];
  return await Promise.all(
    messages.map(async (message) =>
      holdsStored(message)
        ? ({ ...message, content: await withBytes(message.content as ContentPart[], store) } as Message)
        : message,
    ),
  );
}

const holdsStored = ({ content }: Message): boolean => Array.isArray(content) && content.some(isStored);

export const isStored = (part: ContentPart): part is StoredPart =>
  part.type === 'stored' && typeof part['key'] === 'string';

async function withBytes(content: ContentPart[], store: Store): Promise<Content> {
  return await Promise.all(content.map(async (part) => (isStored(part) ? await partOf(part, store) : part)));
}

async function partOf({ key, mediaType, bytes, name }: StoredPart, store: Store): Promise<ContentPart> {
  const found = await store.get(key);
  if (found === undefined) {
    return { type: 'text', text: `[${name ?? mediaType}, ${bytes} bytes: no longer available]` };
  }
  const url = `data:${mediaType};base64,${Buffer.from(found).toString('base64')}`;
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  return { type: 'file', file: { filename: name ?? 'file', file_data: url } };
}
