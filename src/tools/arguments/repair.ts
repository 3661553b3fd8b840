import { jsonrepair } from 'jsonrepair';
import { jsonTokens } from './json-tokens.ts';

/**
 * Broken JSON mended, or undefined when that can't be done without loss.
 *
 * *Lossless* means: the mended text has exactly the brackets, colons, strings, numbers and literals of the original, in the
 * same order; only their notation changes. So trailing or missing commas, single quotes, unquoted keys, raw line breaks
 * in strings, comments, code fences and Python's literals are mended. Nothing is ever added, so a text that was cut off
 * is never completed; nothing is dropped or guessed (an ellipsis, a bare word, a missing value, an unknown escape).
 */
export function repairJson(text: string): string | undefined {
  const body = withoutFence(text);
  const wanted = jsonTokens(body);
  if (!wanted) return undefined;
  let mended: string;
  try {
    mended = jsonrepair(body);
  } catch {
    // It says so when it can't: the caller reports the text as broken.
    return undefined;
  }
  const got = jsonTokens(mended);
  return got?.length === wanted.length && got.every((token, i) => token === wanted[i]) ? mended : undefined;
}

const fenceStart = /^\s*```[\w-]*\s+(?=[{[])/;
const fenceEnd = /\s*```\s*$/;

function withoutFence(text: string): string {
  return fenceStart.test(text) ? text.replace(fenceStart, '').replace(fenceEnd, '') : text;
}
