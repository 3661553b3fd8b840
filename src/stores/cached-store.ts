import type { Store } from './store.ts';

/**
 * A fast store in front of a lasting one, for example memory in front of files. What `put` promises is what the lasting
 * one keeps; the front one may forget at any time. Keys name their content, so the two never disagree about one.
 */
export function cachedStore(front: Store, back: Store): Store {
  return {
    async get(key) {
      const near = await front.get(key);
      if (near !== undefined) return near;
      const far = await back.get(key);
      if (far !== undefined) await front.put(key, far);
      return far;
    },

    async put(key, bytes) {
      const [, kept] = await Promise.all([front.put(key, bytes), back.put(key, bytes)]);
      return kept;
    },

    async close() {
      await Promise.all([front.close(), back.close()]);
    },
  };
}
