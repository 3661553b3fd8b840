/** Days and months written out: without this test `Date.parse` would take almost anything for a date. */
const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/**
 * How long a provider asks to wait, in ms, from the values of its headers: `retry-after-ms`, else `retry-after` in seconds
 * (fractions too) or as an HTTP date (RFC 9110 §10.2.3). A date that has passed is 0. Undefined: it asks for nothing, or
 * writes something that can't be read.
 */
export function retryAfterMs(
  headers: { retryAfterMs?: string | null | undefined; retryAfter?: string | null | undefined },
  nowMs: number,
): number | undefined {
  const ms = decimal(headers.retryAfterMs);
  if (ms !== undefined) return Math.ceil(ms);
  const seconds = decimal(headers.retryAfter);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const text = headers.retryAfter?.trim() ?? '';
  if (!httpDate.test(text)) return undefined;
  // The asctime form names no zone and means GMT; `Date.parse` would read it as local time.
  const date = Date.parse(/GMT|UTC|[+-]\d{4}/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function decimal(value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? '';
  return /^\d{1,15}(\.\d{0,15})?$/.test(text) ? Number(text) : undefined;
}
