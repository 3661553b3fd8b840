import type { LogEntry } from '../core/log.ts';
import { plain } from './progress.ts';

/** What a run does at this moment, for the live line: the model is asked, these tools run. Undefined between turns. Pure. */
export function doing(entries: readonly LogEntry[], now: number): string | undefined {
  const last = entries.at(-1);
  if (last === undefined || last.kind === 'turn-ended') return undefined;
  const inTurn = entries.filter((entry) => entry.turn === last.turn);
  const running = inTurn.filter(
    (entry) =>
      entry.kind === 'call-started' &&
      !inTurn.some(
        (end) =>
          end.kind === 'call-settled' && end.iteration === entry.iteration && end.index === entry.index,
      ),
  ) as Extract<LogEntry, { kind: 'call-started' }>[];
  const since = running[0]?.at ?? last.at;
  const what =
    running.length > 0
      ? `${running.map((call) => plain(call.name)).join(', ')} running`
      : last.kind === 'model-started'
        ? 'the model is asked'
        : 'going on';
  return `    … ${what}, ${Math.max(0, Math.round((now - since) / 1000))} s`;
}
