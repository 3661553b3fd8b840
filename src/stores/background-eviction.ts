import { evict, type StoreBounds } from './evict.ts';

/** Age makes values go even where little is written. */
const intervalMs = 600_000;

export interface BackgroundEviction {
  /** Counts what was written and starts an eviction when one is due. Returns at once. */
  wrote(bytes: number): void;
  /** Resolves when no eviction runs. */
  settled(): Promise<void>;
}

/**
 * Evicts after the first write, then whenever an eighth of `maxBytes` was written and at most ten minutes after the last
 * time. So the directory passes its bound by little, and the cost of listing it is spread over many writes. No timer
 * runs: a process that writes nothing does nothing.
 */
export function backgroundEviction(
  root: string,
  bounds: StoreBounds,
  onError: (error: unknown) => void,
): BackgroundEviction {
  // An earlier process may have left more than the bound, so the first write counts as the one that fills the store.
  let written = bounds.maxBytes;
  let lastAt = 0;
  let running: Promise<void> | undefined;
  const isFull = () => written > 0 && written >= bounds.maxBytes / 8;

  async function run(): Promise<void> {
    do {
      written = 0;
      lastAt = Date.now();
      await evict(root, bounds).catch(onError);
    } while (isFull());
    running = undefined;
  }

  return {
    wrote(bytes) {
      written += bytes;
      if (running === undefined && (isFull() || Date.now() - lastAt >= intervalMs)) running = run();
    },
    async settled() {
      await running;
    },
  };
}
