import type { Message } from '../contract.ts';
import { backfillMissingToolResults } from './backfill-missing-tool-results.ts';
import { dropOrphanToolResults } from './drop-orphan-tool-results.ts';
import { frontSystem, type SystemMessages } from './front-system.ts';
import { mergeUserMessages } from './merge-user-messages.ts';
import { orderToolResults } from './order-tool-results.ts';
import { repair } from './repair.ts';
import { uniqueCallIds } from './unique-call-ids.ts';

export interface PrepareOptions {
  /** How many system messages the provider takes. Default: one. */
  systemMessages?: SystemMessages;
}

/**
 * What the model sees of a transcript: a copy that every provider takes, whatever the transcript holds (turn-semantics
 * §6). Pure; the input is never changed, and messages that need no change stay the same objects. Running it on its own
 * output changes nothing. A later round never changes how earlier messages come out, so that the prefix of a request
 * stays the same for a provider's prompt cache; only the system message at the front moves when the instructions do.
 */
export function prepare(messages: readonly Message[], options: PrepareOptions = {}): Message[] {
  const repaired = frontSystem(repair(messages), options.systemMessages);
  const answered = backfillMissingToolResults(dropOrphanToolResults(uniqueCallIds(repaired)));
  return mergeUserMessages(orderToolResults(answered));
}
