import fc from 'fast-check';

/** Draws that a seed decides: the same seed, the same draws. */
export class Dice {
  #numbers: Iterator<number>;

  constructor(seed: number) {
    const uniform = fc.noBias(fc.integer({ min: 0, max: 0xffff_ffff }));
    const [stream] = fc.sample(fc.infiniteStream(uniform), { seed, numRuns: 1 });
    if (!stream) throw new Error('fast-check gave no stream');
    this.#numbers = stream;
  }

  /** At least 0, less than 1. */
  fraction(): number {
    return Number(this.#numbers.next().value) / 0x1_0000_0000;
  }

  /** A whole number, both bounds included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to pick from');
    return choices[this.whole(0, choices.length - 1)] as T;
  }

  /** A name, by its weight. */
  weighted<K extends string>(weights: Record<K, number>): K {
    const entries = Object.entries(weights) as [K, number][];
    let rest = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      rest -= weight;
      if (rest < 0) return name;
    }
    return entries[0]![0];
  }
}
