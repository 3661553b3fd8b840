/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Undefined when there is nothing. */
export function spreadOf(values: readonly (number | undefined)[]): Spread | undefined {
  const given = values.filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  return { median: median(given), min: Math.min(...given), max: Math.max(...given) };
}
