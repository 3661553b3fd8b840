import type { Message } from '../contract.ts';
import { withMissingResults } from './backfill-missing-tool-results.ts';
import { withoutOrphans } from './drop-orphan-tool-results.ts';
import { frontSystem, type SystemMessages } from './front-system.ts';
import { mergeUserMessages } from './merge-user-messages.ts';
import { withResultsFirst } from './order-tool-results.ts';
import { repair } from './repair.ts';
import { changeBehind, isInOrder, type Round } from './rounds.ts';
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
  return mergeUserMessages(changeBehind(uniqueCallIds(repaired), legalBehind));
}

/** What `dropOrphanToolResults`, `backfillMissingToolResults` and `orderToolResults` make of a round one after the other. */
function legalBehind(round: Round): readonly Message[] {
  if (isInOrder(round)) return round.behind;
  const known = { ...round, behind: withoutOrphans(round) };
  return withResultsFirst({ ...known, behind: withMissingResults(known) });
}
