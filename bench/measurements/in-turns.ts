/** The list, begun one further each round: nobody always goes first, when the machine is coolest, or last. */
export function inTurns<T>(list: readonly T[], round: number): T[] {
  const first = (round - 1) % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
