import fc from 'fast-check';
import { propertySeed } from '../setup/property-seed.ts';

export const seed = propertySeed;

/** Runs a property with that seed. */
export function holds<T>(property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, { seed, numRuns });
}

export const holdsAsync = <T>(property: fc.IAsyncProperty<T>, numRuns = 300): Promise<void> =>
  fc.assert(property, { seed, numRuns });
