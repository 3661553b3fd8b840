import { storeLimits } from '../limits.ts';
import type { Store } from './store.ts';

export interface MemoryStoreOptions {
  /** Bytes of all keys and values together; beyond, the least recently used go. Default: 64 MB. */
  maxBytes?: number;
}

/** A store in this process's memory: for tests, and in front of a slower one. */
export function memoryStore({ maxBytes = storeLimits.memoryBytesMax }: MemoryStoreOptions = {}): Store {
  // A map iterates in the order of insertion: what is used is inserted again, so the first is the least recently used.
  const values = new Map<string, Uint8Array>();
  let bytesHeld = 0;

  function remove(key: string): Uint8Array | undefined {
    const value = values.get(key);
    if (value !== undefined) bytesHeld -= size(key, value);
    values.delete(key);
    return value;
  }

  function insert(key: string, value: Uint8Array): void {
    values.set(key, value);
    bytesHeld += size(key, value);
  }

  return {
    async get(key) {
      const value = remove(key);
      if (value === undefined) return undefined;
      insert(key, value);
      return Uint8Array.from(value);
    },

    async put(key, bytes) {
      remove(key);
      if (size(key, bytes) > maxBytes) return false;
      // A copy: the caller may reuse its buffer, which may also be a small window of a large one.
      insert(key, Uint8Array.from(bytes));
      for (const oldest of values.keys()) {
        if (bytesHeld <= maxBytes) break;
        remove(oldest);
      }
      return true;
    },

    async close() {
      values.clear();
      bytesHeld = 0;
    },
  };
}

const size = (key: string, value: Uint8Array): number => 2 * key.length + value.length;
