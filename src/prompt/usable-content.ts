import type { Content, ContentPart } from '../contract.ts';

/**
 * Content as a provider takes it: a text that isn't blank, or a list of parts without blank texts and without what is no
 * part. A list with only an image is content. Undefined when nothing is left; the same value when nothing changes.
 */
export function usableContent(content: unknown): Content | undefined {
  if (typeof content === 'string') return isBlank(content) ? undefined : content;
  if (!Array.isArray(content)) return undefined;
  const parts = content.filter(isUsablePart);
  if (parts.length === 0) return undefined;
  return parts.length === content.length ? content : parts;
}

function isUsablePart(part: unknown): part is ContentPart {
  if (typeof part !== 'object' || part === null || !('type' in part)) return false;
  if (part.type !== 'text') return typeof part.type === 'string';
  return 'text' in part && typeof part.text === 'string' && !isBlank(part.text);
}

const isBlank = (text: string): boolean => text.trim() === '';
