import type { Content } from '../contract.ts';

/** Whether a value is what a run takes as a message's content: a text, or a list of parts. */
export const isContent = (value: unknown): value is Content =>
  typeof value === 'string' || (Array.isArray(value) && value.every(isPart));

const isPart = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  typeof part.type === 'string' &&
  (part.type !== 'text' || ('text' in part && typeof part.text === 'string'));
