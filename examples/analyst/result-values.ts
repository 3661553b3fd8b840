import { types } from '@electric-sql/pglite';
import type { JsonValue } from './query-result.ts';

/**
 * How PostgreSQL's values become JSON. Numbers are numbers where JavaScript has them: fractions to 15 digits, whole numbers
 * up to 2^53; larger ones, NaN and Infinity stay text. Dates and times stay text as PostgreSQL writes them (ISO 8601), so
 * that no time zone shifts them.
 */
export const resultParsers: { [oid: number]: (text: string) => JsonValue } = {
  [types.NUMERIC]: numberOrText,
  [types.INT8]: numberOrText,
  [types.FLOAT4]: numberOrText,
  [types.FLOAT8]: numberOrText,
  [types.DATE]: asText,
  [types.TIMESTAMP]: asText,
  [types.TIMESTAMPTZ]: asText,
  [types.BYTEA]: asText,
};

function numberOrText(text: string): JsonValue {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : text;
}

function asText(text: string): string {
  return text;
}

/** Characters of one text; a longer one is cut and says so. */
const cellCharsMax = 10_000;

/** What a parser of PGlite gave, as JSON: long texts cut, whatever else is no JSON as text. */
export function resultValue(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return cut(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(resultValue);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resultValue(each)]));
  return String(value);
}

function cut(text: string): string {
  if (text.length <= cellCharsMax) return text;
  const start = text.slice(0, cellCharsMax).toWellFormed();
  return `${start}… [cut: ${text.length.toLocaleString('en-US')} characters]`;
}
