import type { Message } from '../contract.ts';
import { jsonBytes } from './json-bytes.ts';
import { withoutAbandoned } from './parts.ts';
import type { Entry, Run } from './run.ts';

/** What the next run of a chain starts from. It lives as long as the conversation, so it has a version of its own. */
export interface Carried {
  version: 1;
  run: Run;
}

/** Bytes of the transcript's end that are carried: what a model can still see, as a rule (DESIGN §2). */
const inlineBytesMaxDefault = 600_000;

/** Bytes of remembered message ids that are carried, the newest ones: some 6,000. */
const seenBytesMax = 250_000;

/** Bytes of the whole, as any payload (temporal-facts, "Sizes"). */
const carriedBytesMax = 1_000_000;

/** Whether nothing is in flight, so that the run may go on as a new one here: a request is due, or the run waits. */
export function mayCarry(run: Run): boolean {
  const at = run.turn?.phase.at;
  const clean = at === undefined || at === 'ended' || at === 'asking';
  return clean && run.base?.open === undefined && run.inputId === undefined;
}

/**
 * The run as it goes on in a new one, or undefined when what has to go along is too large for now (messages that wait, or
 * that no context covers yet). Entries that the context covers are left behind when they are too many; the log stays
 * behind but for its last entry, whose number goes on. `at` is now, in ms since the epoch; `inlineBytesMax`: of the
 * transcript's end, which always goes along.
 */
export function carried(
  run: Run,
  runId: string,
  at: number,
  inlineBytesMax = inlineBytesMaxDefault,
): Carried | undefined {
  const dropped = run.dropped ?? 0;
  const covered = (run.base?.entries ?? 0) - dropped;
  const leaving = Math.max(
    0,
    Math.min(run.transcript.length - newest(run.transcript, inlineBytesMax), covered),
  );
  const kept = run.transcript.slice(leaving);
  const { digest, inbox, ...rest } = run;
  const { parts: pending, ...received } = inbox;
  const parts = withoutAbandoned(pending, at);
  const instructed = leaving === 0 || kept.some(({ message }) => isInstructions(message));
  const next: Run = {
    ...rest,
    // The next turn records the instructions again when they stay behind: a lost context must not take them along.
    ...(digest === undefined || !instructed ? {} : { digest }),
    before: { runId, entries: dropped + leaving, seq: run.log.at(-1)?.seq ?? 0 },
    // A result's activity stands in the history that ends here, so from now on the message itself is the record.
    transcript: kept.map(({ message }): Entry => ({ message })),
    ...(dropped + leaving === 0 ? {} : { dropped: dropped + leaving }),
    log: run.log.slice(-1),
    inbox: {
      ...received,
      seen: received.seen.slice(received.seen.length - newest(received.seen, seenBytesMax)),
      ...(parts === undefined ? {} : { parts }),
    },
  };
  return jsonBytes(next) <= carriedBytesMax ? { version: 1, run: next } : undefined;
}

const isInstructions = (message: Message): boolean =>
  message.role === 'system' && message.name === 'instructions';

/** How many of a list's last items fit. */
function newest(list: readonly unknown[], bytesMax: number): number {
  let bytes = 0;
  let count = 0;
  while (count < list.length) {
    bytes += jsonBytes(list[list.length - 1 - count]) + 1;
    if (bytes > bytesMax) break;
    count++;
  }
  return count;
}
