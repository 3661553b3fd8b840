import type { Message } from '../contract.ts';
import type { LogEntry } from './log.ts';
import { pageOf, type Page } from './page.ts';
import type { Run } from './run.ts';

/** Messages from a position of the conversation on. Those that an earlier run of the chain holds are asked there. */
export function transcriptPage(run: Run, from = 0, offset = 0): Page<Message> {
  const dropped = run.dropped ?? 0;
  const messages = run.transcript.map((entry) => entry.message);
  const page = pageOf(messages, Math.max(0, from - dropped), offset);
  return {
    ...page,
    ...(page.next === undefined ? {} : { next: page.next + dropped }),
    ...(from < dropped && run.before ? { before: run.before } : {}),
  };
}

/** Log entries behind a `seq`; `next` is the `seq` to ask behind. */
export function eventsPage(run: Run, from = 0, offset = 0): Page<LogEntry> {
  const firstSeq = run.log[0]?.seq ?? 1;
  const page = pageOf(run.log, Math.max(0, from + 1 - firstSeq), offset);
  return {
    ...page,
    ...(page.next === undefined ? {} : { next: page.next + firstSeq - 1 }),
    ...(from + 1 < firstSeq && run.before ? { before: run.before } : {}),
  };
}
