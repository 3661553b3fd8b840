import fc from 'fast-check';

/** Property tests take their seed from SEED, else a new one; fast-check prints it when a property fails. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Runs a property with that seed. */
export function holds<T>(property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, { seed, numRuns });
}

export const holdsAsync = <T>(property: fc.IAsyncProperty<T>, numRuns = 300): Promise<void> =>
  fc.assert(property, { seed, numRuns });
