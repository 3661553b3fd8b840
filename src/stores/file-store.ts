import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import cacache from 'cacache';
import { storeLimits } from '../limits.ts';
import { backgroundEviction } from './background-eviction.ts';
import type { Store } from './store.ts';

export interface FileStoreOptions {
  /** Made when it isn't there. Several processes may share it; the store keeps to a folder `objects` of its own in it. */
  directory: string;
  /** Bytes of all values together. Passing it, by an eighth at most, drops the least recently written. Default: 2 GB. */
  maxBytes?: number;
  /** A value goes this long after it was written. Default: 30 days. */
  maxAgeMs?: number;
  /** Told of each failure that the store itself only answers with "not there" or "not kept". Must not throw. */
  onError?(operation: 'get' | 'put' | 'evict', error: unknown): void;
}

/**
 * A store of files, over npm's content store: written to a temporary file and renamed, checked against its digest when
 * read. A value that fails the check is removed, so that writing it again mends it.
 */
export function fileStore(options: FileStoreOptions): Store {
  const { directory, maxBytes = storeLimits.fileBytesMax, maxAgeMs = storeLimits.fileAgeMsMax } = options;
  const root = join(resolve(directory), 'objects');
  const eviction = backgroundEviction(root, { maxBytes, maxAgeMs }, (error) =>
    options.onError?.('evict', error),
  );

  /** Not every writer waits for its own. */
  const running = new Set<Promise<unknown>>();

  return {
    async get(key) {
      try {
        return (await cacache.get(root, fileKey(key))).data;
      } catch (error) {
        const { code, sri } = error as { code?: string; sri?: unknown };
        if (code !== 'ENOENT') options.onError?.('get', error);
        // Content is never overwritten by equal content: left alone, the damaged file would stay for good.
        if (code === 'EINTEGRITY') {
          await cacache.rm
            .content(root, String(sri))
            .catch((reason: unknown) => options.onError?.('get', reason));
        }
        return undefined;
      }
    },

    async put(key, bytes) {
      try {
        if (bytes.length > maxBytes) {
          throw new RangeError(
            `a value of ${bytes.length} bytes doesn't fit: raise maxBytes, it is ${maxBytes}`,
          );
        }
        const writing = cacache.put(root, fileKey(key), bytes);
        running.add(writing);
        await writing.finally(() => running.delete(writing));
      } catch (error) {
        options.onError?.('put', error);
        return false;
      }
      eviction.wrote(bytes.length);
      return true;
    },

    async close() {
      await Promise.allSettled(running);
      await eviction.settled();
    },
  };
}

/** UTF-16, because UTF-8 would give all lone surrogates, and so different keys, one name. */
const fileKey = (key: string): string =>
  createHash('sha256').update(Buffer.from(key, 'utf16le')).digest('base64url');
