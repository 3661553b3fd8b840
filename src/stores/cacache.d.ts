/** The part of cacache that the file store uses; the package brings no types of its own. */
declare module 'cacache' {
  export interface CacheEntry {
    key: string;
    /** Digest of the content. */
    integrity: string;
    /** Where the content stands on disk. */
    path: string;
    size: number;
    /** When it was written, ms since the epoch. */
    time: number;
  }

  interface Cacache {
    get(directory: string, key: string): Promise<{ data: Uint8Array; integrity: string }>;
    put(directory: string, key: string, data: Uint8Array): Promise<string>;
    ls: { stream(directory: string): AsyncIterable<CacheEntry> };
    rm: {
      entry(directory: string, key: string, options: { removeFully: boolean }): Promise<unknown>;
      content(directory: string, integrity: string): Promise<boolean>;
    };
  }

  const cacache: Cacache;
  export default cacache;
}
