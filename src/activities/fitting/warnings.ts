import type { ModelReply } from '../../contract.ts';
import { jsonBytes } from '../../core/json-bytes.ts';
import { shortened } from '../../tools/code-points.ts';
import type { Part } from './part.ts';

const warningsMax = 20;
const charsMax = 500;

/** Warnings that stand there already: a tool's own code can fail once a call. */
export function warningParts(reply: ModelReply): Part[] {
  const { warnings = [] } = reply;
  const bytes = jsonBytes(warnings);
  const shrink = (): number => {
    const kept = warnings.slice(0, warningsMax).map((warning) => shortened(warning, charsMax));
    const more = warnings.length - kept.length;
    reply.warnings = more > 0 ? [...kept, `${more} more warnings`] : kept;
    return bytes - jsonBytes(reply.warnings);
  };
  return warnings.length > 0 ? [{ kind: 'warnings', bytes, shrink }] : [];
}
