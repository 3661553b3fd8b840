import type { InjectedMessage, Message, RunInput } from '../src/contract.ts';
import type { LogEntry } from '../src/core/log.ts';
import type { Page } from '../src/core/page.ts';
import type { MessagePart } from '../src/core/parts.ts';

// What a service in another language sends and reads (docs/wire.md). Each type becomes a file of docs/schemas.
export type { RunResult } from '../src/contract.ts';
export type { RunState } from '../src/core/state.ts';

/** Input of workflow `agentWorkflow`: `RunInput` without `carried`, which only a run that continues itself sets. */
export interface StartInput extends Omit<RunInput, 'carried'> {}

/** Payload of signal `inject`: a message, its bare text, or one part of a message that is too large for one signal. */
export type Inject = string | InjectedMessage | MessagePart;

/** Answer of query `transcript`; `next` is the position to ask for next, absent on the last page. */
export interface TranscriptPage extends Page<Message> {}

/** Answer of query `events`; `next` is the `seq` to ask for next, absent on the last page. */
export interface EventsPage extends Page<LogEntry> {}
