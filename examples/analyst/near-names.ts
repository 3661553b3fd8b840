/** The names, those most like the wanted one first; equal ones keep their order. */
export function nearFirst(wanted: string, names: readonly string[]): string[] {
  return names
    .map((name, i) => ({ name, i, likeness: likeness(wanted, name) }))
    .sort((a, b) => b.likeness - a.likeness || a.i - b.i)
    .map(({ name }) => name);
}

/**
 * Share of common pairs of letters (Dice's coefficient), of the whole name or of what follows the schema, whichever is
 * more. It finds `world.countries` for `country_stats`, where counting edits finds shorter names.
 */
function likeness(a: string, b: string): number {
  return Math.max(dice(a, b), dice(afterSchema(a), afterSchema(b)));
}

const afterSchema = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function dice(a: string, b: string): number {
  const [left, right] = [pairs(a), pairs(b)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / Math.max(1, left.size + right.size);
}

function pairs(name: string): Set<string> {
  const letters = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)));
}
