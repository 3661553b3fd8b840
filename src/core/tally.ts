/** Counts by name. Names may come from a model, so one called `constructor` or `__proto__` has to count like any other. */
export type Tally = Record<string, number>;

export const countOf = (tally: Tally, name: string): number =>
  Object.hasOwn(tally, name) ? (tally[name] ?? 0) : 0;

export const counted = (tally: Tally, name: string): Tally => ({
  ...tally,
  [name]: countOf(tally, name) + 1,
});
