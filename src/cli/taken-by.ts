import type { LogEntry } from '../core/log.ts';

/** True at the end of the turn that took the message: what was shown until then is the way to its answer. */
export function takenBy(messageId: string): (entry: LogEntry) => boolean {
  let turn: number | undefined;
  return (entry) => {
    if ('messageIds' in entry && entry.messageIds.includes(messageId)) turn = entry.turn;
    return entry.kind === 'turn-ended' && entry.turn === turn;
  };
}
