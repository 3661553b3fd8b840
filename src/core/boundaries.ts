import type { ToolOutcome } from '../contract.ts';
import { counted, countOf, type Tally } from './tally.ts';

/** From this many violations of one target on, the text names it and tells the model to stop (turn-semantics §3). */
const escalateAt = 3;

/** Counts a soft boundary violation; the same target in other letter case is the same target, whatever the tool. */
export function countedViolation(
  violations: Tally,
  outcome: ToolOutcome,
): { violations: Tally; escalation?: string } {
  if (outcome.violation?.class !== 'soft_boundary') return { violations };
  const target = outcome.violation.target.trim();
  const normalized = target.normalize('NFC').toLowerCase();
  const after = counted(violations, normalized);
  const count = countOf(after, normalized);
  if (count < escalateAt) return { violations: after };
  return {
    violations: after,
    escalation:
      `${target} was refused ${count} times now. It stays out of reach with every tool and every spelling. ` +
      'Stop trying it and ask the user how to go on.',
  };
}
