/** Temporal refuses a summary over 200 bytes (temporal-facts, "Queries, retention, UI"). */
const summaryBytesMax = 200;

/** One line of at most 200 bytes, cut at a code point. */
export function sizedSummary(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const encoder = new TextEncoder();
  if (encoder.encode(line).length <= summaryBytesMax) return line;
  let cut = '';
  let bytes = encoder.encode('…').length;
  for (const char of line) {
    bytes += encoder.encode(char).length;
    if (bytes > summaryBytesMax) break;
    cut += char;
  }
  return `${cut}…`;
}
