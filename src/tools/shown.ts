import { shortened } from './code-points.ts';

/** A wrong value for an error message, short, whatever it is. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'function') return 'a function';
  try {
    return shortened(JSON.stringify(value) ?? String(value), 80);
  } catch {
    // Cycles, big integers: the kind has to do.
    return typeof value === 'bigint' ? `${value}n` : 'an object';
  }
}
