import type { LogEntry } from '../core/log.ts';

/** Files that tools reported having drawn. */
export function chartPaths(entries: readonly LogEntry[]): string[] {
  const paths = entries.flatMap((entry) =>
    entry.kind === 'call-settled' && entry.outcome.status === 'ok'
      ? [...entry.outcome.text.matchAll(/[^\s"'`()]+\.svg\b/g)].map(([path]) => path)
      : [],
  );
  return [...new Set(paths)];
}
