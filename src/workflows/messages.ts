import { defineQuery, defineSignal, log, setHandler, uuid4 } from '@temporalio/workflow';
import type { InjectedMessage, Message } from '../contract.ts';
import { isContent } from '../core/content.ts';
import type { LogEntry } from '../core/log.ts';
import { isMessagePart, type MessagePart } from '../core/parts.ts';
import { eventsPage, transcriptPage } from '../core/run-pages.ts';
import type { Page } from '../core/page.ts';
import { stateOf, type RunState } from '../core/state.ts';
import type { LiveRun } from './live-run.ts';

/** A message of a user into the run: `{ id?, content, interrupt? }`, or just a text. */
export const injectSignal = defineSignal<[InjectedMessage | MessagePart | string]>('inject');
/** Where the run stands. */
export const stateQuery = defineQuery<RunState>('state');
/** Transcript entries from a position (0 is the first of the conversation), in pages of at most 1 MB. */
export const transcriptQuery = defineQuery<Page<Message>, [number?, number?]>('transcript');
/** Log entries behind a `seq` (0: all), in pages of at most 1 MB. */
export const eventsQuery = defineQuery<Page<LogEntry>, [number?, number?]>('events');

/** Handlers only put things into the run; the loop takes them up at its boundaries. */
export function handleMessages(live: LiveRun): void {
  setHandler(injectSignal, (message) => inject(live, message), {
    description: 'A message into the run: {"id"?, "content", "interrupt"?}, or a text.',
  });
  setHandler(stateQuery, () => stateOf(live.run), { description: 'Where the run stands.' });
  setHandler(transcriptQuery, (from, offset) => transcriptPage(live.run, from, offset), {
    description: 'Messages of the transcript from a position.',
  });
  setHandler(eventsQuery, (from, offset) => eventsPage(live.run, from, offset), {
    description: 'What happened, behind a seq.',
  });
}

/** Anyone can type into the UI's signal form, so what has no content is noted and left, never thrown on. */
function inject(live: LiveRun, received: InjectedMessage | MessagePart | string): void {
  if (isMessagePart(received)) return live.happened({ kind: 'part-received', part: received });
  const message: InjectedMessage = typeof received === 'string' ? { content: received } : received;
  if (!isContent(message?.content)) {
    log.warn('signal inject ignored: content has to be a text or a list of parts', {
      received: typeof received,
    });
    return;
  }
  live.happened({
    kind: 'message-received',
    message: {
      id: typeof message.id === 'string' && message.id !== '' ? message.id : uuid4(),
      content: message.content,
      ...(message.interrupt === true ? { interrupt: true } : {}),
    },
  });
}
