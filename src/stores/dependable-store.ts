import { storeLimits } from '../limits.ts';
import type { Store } from './store.ts';

/**
 * A store as the activities rely on it: what is being written can be read already, since nobody waits for a tool's outcome
 * to be written and the next request needs it; and nothing rejects or hangs, since no paid reply and no tool's outcome may
 * be lost to a store that somebody has written otherwise. `onError` is told of each rejection, and when no answer has come
 * within `answerMs`; it must not throw.
 */
export function dependableStore(
  store: Store,
  onError: (operation: 'get' | 'put', error: unknown) => void,
  answerMs: number = storeLimits.answerMsMax,
): Store {
  const writing = new Map<string, Uint8Array>();
  return {
    async get(key) {
      const bytes = writing.get(key);
      if (bytes !== undefined) return bytes;
      try {
        return await answered(answerMs, () => store.get(key));
      } catch (error) {
        onError('get', error);
        return undefined;
      }
    },

    async put(key, bytes) {
      writing.set(key, bytes);
      try {
        return await answered(answerMs, () => store.put(key, bytes));
      } catch (error) {
        onError('put', error);
        return false;
      } finally {
        if (writing.get(key) === bytes) writing.delete(key);
      }
    },

    close: () => store.close(),
  };
}

async function answered<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
