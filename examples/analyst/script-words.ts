import type { Json, JsonObject } from '../../src/index.ts';
import type { ToolResult } from './script.ts';

/** Rows of a search that went well. */
export const rowsOf = ({ json }: ToolResult): JsonObject[] | undefined =>
  Array.isArray(json?.rows) ? (json.rows as JsonObject[]) : undefined;

/** A cell of a row as words: text as it is, numbers in digits. */
export const cell = (row: JsonObject | undefined, column: string): string => {
  const value = row?.[column];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
};

/** What failed, in the tool's own words. */
export const failed = (what: string, { text }: ToolResult): string =>
  text.includes('[truncated')
    ? `${what} gave more than I can read at once.`
    : `${what} failed: ${text.split('\nHint:')[0]!.trim()}`;

/** `1.2 billion`, `34.5 million`, `6,789`. */
export function shortNumber(value: Json | undefined): string {
  const number = Number(value);
  const [unit, word] =
    number >= 1e9
      ? ([1e9, ' billion'] as const)
      : number >= 1e6
        ? ([1e6, ' million'] as const)
        : ([1, ''] as const);
  return `${(number / unit).toLocaleString('en-US', { maximumFractionDigits: unit === 1 ? 0 : 1 })}${word}`;
}

/** `a, b and c` */
export function list(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
