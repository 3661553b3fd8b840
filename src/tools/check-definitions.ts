import { resolved } from './arguments/schema-node.ts';
import { lettersAndDigits } from './closest.ts';
import { codePoints } from './code-points.ts';
import type { Tool } from './define.ts';

/** A description shorter than this says hardly more than the name. */
const descriptionCharsMin = 20;
/** Share of common words from which two descriptions count as nearly the same. */
const likeness = 0.9;

/**
 * What is likely to confuse a model, as one warning a line: descriptions that are missing or too short, parameters without
 * one, and tools that are nearly alike (names that differ in case and punctuation only, or nearly the same description).
 */
export function checkDefinitions(tools: readonly Tool[]): string[] {
  return [...tools.flatMap(checkOne), ...tools.flatMap((tool, i) => tools.slice(i + 1).flatMap(alike(tool)))];
}

function checkOne({ name, schema, spec }: Tool): string[] {
  const description = spec.description?.trim() ?? '';
  const warnings: string[] = [];
  if (description === '')
    warnings.push(`${name}: has no description. Say what it does, when to use it and what it returns.`);
  else if (codePoints(description) < descriptionCharsMin)
    warnings.push(
      `${name}: its description is very short ("${description}"). Say when to use it and what it returns.`,
    );
  for (const [parameter, node] of Object.entries((schema.properties as object) ?? {})) {
    const own = (node as { description?: unknown } | null)?.description;
    const text = own ?? resolved(node, schema).description;
    if (typeof text !== 'string' || text.trim() === '')
      warnings.push(`${name}: parameter "${parameter}" has no description. Say what to put there.`);
  }
  return warnings;
}

const alike =
  (a: Tool) =>
  (b: Tool): string[] => {
    if (lettersAndDigits(a.name) === lettersAndDigits(b.name))
      return [
        `${a.name} and ${b.name}: their names are nearly the same. A model will mix them up; rename one.`,
      ];
    if (commonShare(words(a), words(b)) >= likeness)
      return [`${a.name} and ${b.name}: their descriptions are nearly the same. Say when to use which.`];
    return [];
  };

const words = ({ spec }: Tool): Set<string> =>
  new Set((spec.description ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Words in both, of all words; 0 when one has none. */
function commonShare(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}
