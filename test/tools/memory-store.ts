import type { Store } from '../../src/stores/store.ts';

/** A store in memory; `broken` keeps nothing. */
export function memoryStore({ broken = false } = {}): Store & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    get: (key) => Promise.resolve(kept.get(key)),
    put: (key, bytes) => {
      if (!broken) kept.set(key, Uint8Array.from(bytes));
      return Promise.resolve(!broken);
    },
    close: () => Promise.resolve(),
  };
}
