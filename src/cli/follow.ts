import type { LogEntry } from '../core/log.ts';
import type { Terminal } from './command.ts';
import { doing } from './doing.ts';
import { progressLines } from './progress.ts';
import { whenAborted } from './when-aborted.ts';

/** Between two looks at the clock for the live line, in ms. */
const liveMs = 500;

export interface FollowOptions {
  /** Each entry as a line of JSON instead of text. */
  json?: boolean | undefined;
  /** Entries that are read and not shown: `from` of the events. */
  from?: number | undefined;
  /** Stop behind this entry. Default: at the run's end. */
  until?: (entry: LogEntry) => boolean;
  /** Rejects when following makes no sense any more: the worker failed. */
  failed?: Promise<never>;
}

/**
 * Shows what happens in a run, as it happens, until the run or `until` ends it. On a terminal a live line says what the
 * run is doing. Resolves to the entries seen; rejects when the user stops the command.
 */
export async function follow(
  run: { events(options: { from?: number; signal?: AbortSignal }): AsyncIterable<LogEntry> },
  terminal: Terminal,
  { json = false, from, until, failed }: FollowOptions = {},
): Promise<LogEntry[]> {
  const seen: LogEntry[] = [];
  const live = json ? undefined : terminal.live;
  const ticks = live && setInterval(() => live(doing(seen, Date.now())), liveMs);
  const broken = Promise.race([whenAborted(terminal.signal), ...(failed === undefined ? [] : [failed])]);
  broken.catch(() => {}); // seen by whoever races against it
  const enough = new AbortController();
  const options = { signal: enough.signal, ...(from === undefined ? {} : { from }) };
  const events = run.events(options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([events.next(), broken]);
      if (next.done === true) return seen;
      if (json) terminal.out(JSON.stringify(next.value));
      else for (const line of progressLines(next.value, seen, terminal.paint)) terminal.out(line);
      seen.push(next.value);
      if (until?.(next.value) === true) return seen;
    }
  } finally {
    clearInterval(ticks);
    live?.(undefined);
    enough.abort();
    // Not awaited: a query that is under way ends by itself, and nobody waits for its answer any more.
    void events.return?.().catch(() => {});
  }
}
