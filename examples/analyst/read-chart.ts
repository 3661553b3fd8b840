import { ToolError } from '../../src/index.ts';
import type { ChartKind, ChartRequest } from './chart-request.ts';

export interface ChartArguments {
  kind: ChartKind;
  title: string;
  data: { [field: string]: unknown }[];
  x: string;
  y: string;
  color?: string | undefined;
}

type Row = ChartArguments['data'][number];

/** More can't be told apart in a chart, and a model that sends them should have aggregated. */
const rowsMax = 2_000;

/**
 * What to draw, from a model's arguments. Rows without a value for `x` or without a number for `y` are left out and
 * counted. Throws a ToolError that names the fields there are when one is unknown or holds nothing that can be drawn.
 */
export function readChart({ kind, title, data, x, y, color }: ChartArguments): {
  request: ChartRequest;
  skipped: number;
} {
  if (data.length === 0) throw new ToolError('data is empty.', { hint: 'Give at least one row.' });
  if (data.length > rowsMax)
    throw new ToolError(`data has ${data.length} rows; a chart takes at most ${rowsMax}.`, {
      hint: 'Aggregate the data in the query.',
    });
  checkField('x', x, data);
  checkField('y', y, data);
  if (color !== undefined) checkField('color', color, data);

  const rows = data.flatMap((row) => {
    const [atX, atY] = [row[x], numberOf(row[y])];
    if (atX === null || atX === undefined || atX === '' || atY === undefined) return [];
    return [
      {
        x: numberOf(atX, typeof atX === 'number') ?? printable(textOf(atX)),
        y: atY,
        ...(color === undefined ? {} : { color: printable(textOf(row[color])) }),
      },
    ];
  });
  if (rows.length === 0)
    throw new ToolError(
      `No row has a number in the field "${y}"; the first row has ${JSON.stringify(data[0]?.[y]) ?? 'nothing'} there.`,
      { hint: `Choose a field with numbers as y. ${fieldsIn(data)}` },
    );
  const request: ChartRequest = {
    kind,
    title: printable(title),
    rows,
    x: printable(x),
    y: printable(y),
    ...(color === undefined ? {} : { color: printable(color) }),
    scaleOfX: scaleOf(
      kind,
      rows.map((row) => row.x),
    ),
  };
  return { request, skipped: data.length - rows.length };
}

function checkField(parameter: string, field: string, data: Row[]): void {
  if (data.some((row) => Object.hasOwn(row, field))) return;
  throw new ToolError(`${parameter} is "${field}", which is no field of the data. ${fieldsIn(data)}`, {
    hint: 'Use a name of these, exactly as written.',
  });
}

const fieldsIn = (data: Row[]): string =>
  `Fields in the data: ${[...new Set(data.flatMap((row) => Object.keys(row)))].slice(0, 50).join(', ')}.`;

/** NUMERIC and large integers come from databases as text. */
function numberOf(value: unknown, isNumber = true): number | undefined {
  if (!isNumber) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function scaleOf(kind: ChartKind, xs: (string | number)[]): ChartRequest['scaleOfX'] {
  if (kind === 'bar' || kind === 'pie') return 'nominal';
  if (xs.every((x) => typeof x === 'number')) return 'quantitative';
  return xs.every((x) => typeof x === 'string' && isDate(x)) ? 'temporal' : 'nominal';
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}(-\d{2})?([T ]|$)/.test(text) && !isNaN(Date.parse(text));

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? '');

/** XML has no way to write these characters, not even as an entity. */
// oxlint-disable-next-line no-control-regex
const forbiddenInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const printable = (text: string): string => text.toWellFormed().replace(forbiddenInXml, '\uFFFD');
