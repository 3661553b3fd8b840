/** A name reduced to its letters and digits, lower-cased: what is left when only the spelling differs. */
export const lettersAndDigits = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/**
 * The candidate a person most likely meant, for error messages about configuration: equal but for case and punctuation,
 * else the nearest by edit distance when that is at most a third of the word. Never used to decide what runs.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const plain = lettersAndDigits(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(plain, lettersAndDigits(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const candidate = closest(word, candidates);
  return candidate === undefined ? '' : ` Did you mean "${candidate}"?`;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
