import { createHash } from 'node:crypto';
import type { StoredPart } from '../contract.ts';
import type { Store } from './store.ts';

/**
 * Keeps the bytes of an image or a file and returns the part that stands for them in messages. The same bytes have the same
 * key. Resolves to undefined when the store couldn't keep them.
 */
export async function keepFile(
  store: Store,
  bytes: Uint8Array,
  mediaType: string,
  name?: string,
): Promise<StoredPart | undefined> {
  const key = `file/${createHash('sha256').update(bytes).digest('base64url')}`;
  if (!(await store.put(key, bytes))) return undefined;
  return { type: 'stored', key, mediaType, bytes: bytes.byteLength, ...(name === undefined ? {} : { name }) };
}
