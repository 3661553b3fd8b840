import type { ToolOutcome } from '../contract.ts';
import { cleanText } from './clean-text.ts';
import { shortened } from './code-points.ts';

/** Code points of an error's text; as many as a result's preview has by default. */
export const errorCharsMax = 2_000;

/** The answer to a call that never runs. The text begins with a name for its kind, as an error's begins with its class. */
export function refusal(kind: string, message: string, hint: string): ToolOutcome {
  const room = errorCharsMax - kind.length - hint.length - 10;
  return {
    status: 'refused',
    class: 'general',
    text: `${kind}: ${shortened(cleanText(message), room)}\nHint: ${hint}`,
  };
}
