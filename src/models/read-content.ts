import type { Content, ContentPart } from '../contract.ts';
import { isObject } from './raw-completion.ts';
import { splitThinking } from './thinking.ts';

/** The text in a content: a string, or the text parts of a list. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part === 'string' ? part : isText(part) ? part.text : '')).join('');
}

/**
 * A reply's content without its thinking, which is written as marks in the text or as parts of a kind of its own
 * (Mistral's `thinking`). Other parts (an image a model drew) stay, behind the text.
 */
export function readContent(content: unknown): { content: Content | null; text: string; thinking?: string } {
  const split = splitThinking(contentText(content));
  const parts = Array.isArray(content) ? content.filter((part) => isObject(part) && !isText(part)) : [];
  const thoughts = parts
    .filter((part) => isThinking(part))
    .map((part) => contentText(part['thinking']) || String(part['text'] ?? ''));
  const others = parts.filter((part) => !isThinking(part)) as ContentPart[];
  const thinking = [...thoughts, split.thinking ?? '']
    .filter((thought) => thought.trim() !== '')
    .join('\n\n');
  const text: ContentPart[] = split.text === '' ? [] : [{ type: 'text', text: split.text }];
  return {
    content: others.length > 0 ? [...text, ...others] : split.text === '' ? null : split.text,
    text: split.text,
    ...(thinking !== '' && { thinking }),
  };
}

const isText = (part: unknown): part is { text: string } =>
  isObject(part) &&
  (part['type'] === 'text' || part['type'] === 'output_text') &&
  typeof part['text'] === 'string';
const isThinking = (part: Record<string, unknown>): boolean =>
  part['type'] === 'thinking' || part['type'] === 'reasoning';

/** Thinking that came in a field of its own, for display. The first of the known fields counts: some providers fill two. */
export function reasoningText(message: Record<string, unknown>): string {
  for (const field of ['reasoning_content', 'reasoning', 'thinking']) {
    const value = message[field];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  const details = message['reasoning_details'];
  if (!Array.isArray(details)) return '';
  return details
    .map((item) => (isObject(item) ? String(item['text'] ?? item['summary'] ?? '') : ''))
    .join('');
}
