import type { Json, JsonObject } from '../contract.ts';
import { redact } from '../text/redact.ts';
import { codePoints, firstCodePoints } from './code-points.ts';
import { stableJson } from './stable-json.ts';

/** What is shown of a result that is too long or has more rows than wanted: the text, and how much of it that is. */
export interface Preview {
  text: string;
  /** `2,000 of 31,456 characters` */
  extent: string;
}

/** Rows shown of a list of objects, unless the tool says otherwise; always as many as fit. */
const keepRowsDefault = 20;

export const formatted = (count: number): string => count.toLocaleString('en-US');

/** The first `maxChars` code points. */
export function textPreview(text: string, chars: number, maxChars: number): Preview {
  const start = firstCodePoints(text, maxChars);
  return { text: start, extent: `${formatted(codePoints(start))} of ${formatted(chars)} characters` };
}

export interface RowsWanted {
  maxChars: number;
  keepRows?: number | undefined;
  fields?: readonly string[] | undefined;
}

/**
 * The first rows of a list of objects, one a line, with the chosen fields. The list may be the result or the only list of
 * rows in it; then the rest of the result stands first. Undefined when the result has no rows, nothing would be left out,
 * or not even one row fits.
 *
 * @param fits Whether the whole result is short enough to be shown.
 */
export function rowsPreview(json: Json, fits: boolean, wanted: RowsWanted): Preview | undefined {
  const found = rowsOf(json);
  if (!found) return undefined;
  const { head, rows } = found;
  const fields = wanted.fields;
  const keep = wanted.keepRows ?? (fits ? rows.length : keepRowsDefault);
  const isWhole = rows.length <= keep && !rows.some((row) => hidesFields(row, fields));
  if (fits && isWhole) return undefined;

  const lines: string[] = head ? [redact(stableJson(head))] : [];
  let room = wanted.maxChars - (lines[0] === undefined ? 0 : codePoints(lines[0]) + 1);
  let shown = 0;
  for (const row of rows.slice(0, keep)) {
    const line = redact(rowText(row, fields));
    room -= codePoints(line) + 1;
    if (room < 0) break;
    lines.push(line);
    shown++;
  }
  if (shown === 0) return undefined;
  const some = fields ? ` (fields ${fields.join(', ')})` : '';
  return { text: lines.join('\n'), extent: `${formatted(shown)} of ${formatted(rows.length)} rows${some}` };
}

/** The chosen fields in the chosen order; a row that has none of them is shown whole. */
function rowText(row: JsonObject, fields: readonly string[] | undefined): string {
  const chosen = fields?.filter((field) => Object.hasOwn(row, field)) ?? [];
  if (chosen.length === 0) return stableJson(row);
  return JSON.stringify(Object.fromEntries(chosen.map((field) => [field, row[field]])));
}

const hidesFields = (row: JsonObject, fields: readonly string[] | undefined): boolean =>
  fields !== undefined && Object.keys(row).some((key) => !fields.includes(key));

function rowsOf(json: Json): { head?: JsonObject; rows: JsonObject[] } | undefined {
  if (isRows(json)) return { rows: json };
  if (!isObject(json)) return undefined;
  const lists = Object.entries(json).filter(([, value]) => isRows(value));
  const [only] = lists;
  if (!only || lists.length > 1) return undefined;
  const head = Object.fromEntries(Object.entries(json).filter(([key]) => key !== only[0]));
  return { ...(Object.keys(head).length > 0 ? { head } : {}), rows: only[1] as JsonObject[] };
}

const isRows = (value: Json | undefined): value is JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
