/** Throws with a sentence when a fact about the run doesn't hold. */
export function holds(fact: boolean, otherwise: string): asserts fact {
  if (!fact) throw new Error(otherwise);
}
