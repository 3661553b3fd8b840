import { createHash } from 'node:crypto';

/** A short content digest: 16 base64url characters of SHA-256, 96 bits. */
export const digest = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);
