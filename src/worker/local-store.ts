import { cachedStore } from '../stores/cached-store.ts';
import { fileStore } from '../stores/file-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';

/** Where the file store is when none is given, relative to the working directory. */
export const defaultStoreDirectory = '.turnloop/store';

/** Files, with the newest values in memory too. */
export const localStore = (directory: string = defaultStoreDirectory): Store =>
  cachedStore(memoryStore(), fileStore({ directory }));
