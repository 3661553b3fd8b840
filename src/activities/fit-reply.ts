import type { ModelReply } from '../contract.ts';
import { jsonBytes } from '../core/json-bytes.ts';
import type { Store } from '../stores/store.ts';
import { argumentParts } from './fitting/arguments.ts';
import { dropCalls, resourceParts } from './fitting/calls.ts';
import { contentParts, withoutGone } from './fitting/content.ts';
import { fieldParts } from './fitting/fields.ts';
import { LeftOut } from './fitting/left-out.ts';
import { inOrder } from './fitting/part.ts';
import { textParts } from './fitting/texts.ts';
import { warningParts } from './fitting/warnings.ts';

/** Bytes of a reply that enter the history (turn-semantics §8, "A reply over 512 KB"). */
const replyBytesMax = 512_000;

/** Of these, room for the warnings that say what was left out. */
const leftOutBytesMax = 8_000;

/**
 * Makes a reply fit into the history. Arguments go to the store and into the history as a reference: the message shows
 * `{}` in their place, the tool gets them whole. Texts are cut with a note, an answer's whole text goes to the store.
 * Fields of the provider's own are left out with a warning, the largest first. A reply that fits is returned as it is.
 */
export async function fitReply(reply: ModelReply, store: Store): Promise<ModelReply> {
  let bytes = jsonBytes(reply);
  if (bytes <= replyBytesMax) return reply;
  const bytesMax = replyBytesMax - leftOutBytesMax;
  const fitted = copyOf(reply);
  const leftOut = new LeftOut();
  const parts = [
    ...argumentParts(fitted, store),
    ...textParts(fitted, store),
    ...fieldParts(fitted, leftOut),
    ...contentParts(fitted, store, leftOut),
    ...resourceParts(fitted, leftOut),
    ...warningParts(fitted),
  ];
  for (const part of inOrder(parts, bytesMax)) {
    if (bytes <= bytesMax) break;
    bytes -= await part.shrink();
  }
  fitted.message.content = withoutGone(fitted.message.content);
  // Measured anew: it is the bound, whatever the parts were thought to save.
  const dropped = dropCalls(fitted, jsonBytes(fitted) - bytesMax);
  const warnings = [...(fitted.warnings ?? []), ...leftOut.warnings, ...dropped];
  return warnings.length > 0 ? { ...fitted, warnings } : fitted;
}

/** As deep as parts are replaced in it. */
function copyOf(reply: ModelReply): ModelReply {
  const { message, plan } = reply;
  const calls = message.tool_calls?.map((call) => ({ ...call, function: { ...call.function } }));
  return {
    ...reply,
    message: {
      ...message,
      content: Array.isArray(message.content) ? [...message.content] : message.content,
      ...(calls === undefined ? {} : { tool_calls: calls }),
    },
    ...(plan === undefined ? {} : { plan: plan.map((planned) => ({ ...planned })) }),
  };
}
