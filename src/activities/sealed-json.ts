import type { Store } from '../stores/store.ts';
import { storeDigest } from './store-keys.ts';

/*
 * JSON in the store, with a digest of key and value in front: what a store damaged, cut or mixed up reads as lost, and what
 * is lost is made anew from the run. The file store checks its bytes itself; others may not.
 */

const digestChars = storeDigest('').length;

/** Resolves to false when the store couldn't keep it. */
export async function putJson(store: Store, key: string, value: unknown): Promise<boolean> {
  const json = JSON.stringify(value);
  return await store.put(key, new TextEncoder().encode(`${digestOf(key, json)}${json}`));
}

/** Undefined when it isn't there as it was put. */
export async function getJson<T>(store: Store, key: string): Promise<T | undefined> {
  const bytes = await store.get(key);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const json = text.slice(digestChars);
  return text.slice(0, digestChars) === digestOf(key, json) ? (JSON.parse(json) as T) : undefined;
}

const digestOf = (key: string, json: string): string => storeDigest(`${key}\n${json}`);
