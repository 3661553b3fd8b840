/** Bytes of a value as JSON in UTF-8: what it adds to a payload. */
export const jsonBytes = (value: unknown): number => utf8Bytes(JSON.stringify(value) ?? '');

/** Bytes of a text in UTF-8. A lone surrogate counts 3, as what replaces it. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is 4 bytes in 2 units.
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
