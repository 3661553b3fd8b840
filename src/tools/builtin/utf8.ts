/** Bytes that continue a character: 10xxxxxx. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Code points in UTF-8 text: all bytes but continuations. 5 MB take some milliseconds. */
export function countIn(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let count = 0;
  for (let i = from; i < to; i++) if (!isContinuation(bytes[i]!)) count++;
  return count;
}

/** Index of the byte where the code point number `count` behind `from` begins. */
export function skip(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < bytes.length; left--) {
    at++;
    while (at < bytes.length && isContinuation(bytes[at]!)) at++;
  }
  return at;
}
