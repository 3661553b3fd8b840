import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { generateChart, type GeneratedChart } from '../../../examples/analyst/generate-chart.ts';
import type { JsonObject } from '../../../src/contract.ts';
import { callTool, failureOf } from './tool-context.ts';

let directory: string;
let charts: ReturnType<typeof generateChart>;
/** PostgreSQL has a strict XML parser. */
let xml: PGlite;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'charts-'));
  charts = generateChart(join(directory, 'made', 'when needed'));
  xml = await PGlite.create();
});
afterAll(async () => {
  await Promise.all([charts.close(), xml.close(), rm(directory, { recursive: true, force: true })]);
});

const data = [
  { region: 'Asia', growth: 120.5, year: 1990 },
  { region: 'Africa', growth: 263.2, year: 1995 },
  { region: 'Europe', growth: 38, year: 2000 },
];
const bar: JsonObject = { kind: 'bar', title: 'Growth by region', data, x: 'region', y: 'growth' };

const draw = async (args: JsonObject, key = 'key'): Promise<GeneratedChart & { svg: string }> => {
  const chart = (await callTool(charts.tool, args, { idempotencyKey: key })) as GeneratedChart;
  return { ...chart, svg: await readFile(chart.path, 'utf8') };
};
const textsIn = async (svg: string): Promise<string[]> => {
  const { rows } = await xml.query<{ text: string }>(
    `SELECT unnest(xpath('//*[local-name() = "text" or local-name() = "tspan"]/text()', xmlparse(document $1)))::text AS text`,
    [svg],
  );
  return rows.map(({ text }) => text);
};

test('writes an SVG file and returns its path, size and what it shows', async () => {
  const chart = await draw(bar);
  expect(chart.path).toMatch(/growth-by-region-[0-9a-f]{12}\.svg$/);
  expect(chart.svg).toMatch(new RegExp(`^<svg [^>]*width="${chart.width}" height="${chart.height}"`));
  expect(chart.width).toBeGreaterThan(400);
  expect(chart.description).toBe(
    'bar chart of growth over region: 3 values, lowest 38 (Europe), highest 263.2 (Africa).',
  );
  const texts = await textsIn(chart.svg);
  expect(texts).toEqual(
    expect.arrayContaining(['Growth by region', 'Asia', 'Africa', 'Europe', 'region', 'growth']),
  );
});

test('bars stand in the order of the data and are as high as their numbers', async () => {
  const { svg } = await draw(bar);
  const bars = [...svg.matchAll(/aria-label="region: (\w+); growth: ([\d.]+)"/g)].map(
    ([, region, growth]) => [region, Number(growth)],
  );
  expect(bars).toEqual(data.map(({ region, growth }) => [region, growth]));
});

test.each(['bar', 'line', 'scatter', 'pie'])('draws a %s chart, also with colors', async (kind) => {
  for (const color of [{}, { color: 'region' }]) {
    const chart = await draw({ ...bar, kind, x: 'year', ...color }, `${kind}${JSON.stringify(color)}`);
    expect(await textsIn(chart.svg)).toContain('Growth by region');
  }
});

test('years on an axis have no thousands separator', async () => {
  const texts = await textsIn((await draw({ ...bar, kind: 'line', x: 'year' })).svg);
  expect(texts).toContain('1990');
  expect(texts.join(' ')).not.toContain('1,99');
});

test('the same call writes the same file again, another call another one', async () => {
  const first = await draw(bar, 'same');
  const again = await draw(bar, 'same');
  expect(again).toEqual(first);
  expect((await draw(bar, 'other')).path).not.toBe(first.path);
});

test('calls at the same time leave whole files and nothing else', async () => {
  const drawn = await Promise.all(Array.from({ length: 6 }, (_, i) => draw(bar, `at-once-${i % 2}`)));
  for (const { svg } of drawn) expect(svg.endsWith('</svg>')).toBe(true);
  const files = await readdir(join(directory, 'made', 'when needed'));
  expect(files.filter((name) => !name.endsWith('.svg'))).toEqual([]);
});

test('numbers as text, as databases give them, are drawn', async () => {
  const chart = await draw({
    ...bar,
    data: [
      { region: 'a', growth: '12.5' },
      { region: 'b', growth: '1e3' },
    ],
  });
  expect(chart.description).toContain('highest 1000 (b)');
});

test('rows without a number are left out and counted', async () => {
  const rows = [...data, { region: 'Moon', growth: null }, { region: 'Sun', growth: 'NaN' }];
  const chart = await draw({ ...bar, data: rows });
  expect(chart.description).toContain('3 values');
  expect(chart.description).toContain('2 rows without a number in "growth" were left out.');
});

describe('hostile texts', () => {
  const hostile = [
    '</text></svg><script>alert(1)</script>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE x; --",
    'datum["x"] + event.target',
    'a\u0000b\u0007c\u001b[31m\ufffe',
    'half a fox: \ud83e',
    '../../etc/passwd',
    '🦊 Ünïcödé 漢字',
    'x'.repeat(480),
  ];
  test.each(hostile)('%j is only text, as title, field, value and color', async (text) => {
    const chart = await draw({
      kind: 'bar',
      title: text,
      data: [{ [text]: text, 'y.a[0]': 1 }],
      x: text,
      y: 'y.a[0]',
      color: text,
    });
    const { rows } = await xml.query<{ names: string[] }>(
      `SELECT array(SELECT DISTINCT x::text FROM unnest(xpath('//*', xmlparse(document $1))) e,
         regexp_replace(e::text, '^<([a-zA-Z]+).*', '\\1') x) AS names`,
      [chart.svg],
    );
    expect(
      rows[0]!.names.filter((name) => !['svg', 'g', 'path', 'text', 'tspan', 'line', 'rect'].includes(name)),
    ).toEqual([]);
    expect(chart.svg).not.toMatch(/<(script|img|!DOCTYPE)|[\u0000-\u0008]|\ufffe/);
    expect(chart.path.startsWith(join(directory, 'made', 'when needed'))).toBe(true);
  });
});

describe('what can not be drawn', () => {
  test.each([
    [
      'an unknown field for x',
      { x: 'Region' },
      /x is "Region", which is no field of the data\. Fields in the data: region, growth, year\./,
    ],
    [
      'an unknown field for y',
      { y: 'toString' },
      /y is "toString".*Fields in the data: region, growth, year\./,
    ],
    ['an unknown field for color', { color: 'country' }, /color is "country".*Fields in the data/],
    [
      'a y without numbers',
      { y: 'region' },
      /No row has a number in the field "region"; the first row has "Asia" there/,
    ],
    ['no rows', { data: [] }, /data is empty/],
    ['too many rows', { data: Array.from({ length: 2_001 }, () => data[0]!) }, /at most 2000/],
  ])('%s is named with the remedy', async (_title, change, named) => {
    const error = await failureOf(draw({ ...bar, ...change } as JsonObject));
    expect(error.name).toBe('ToolError');
    expect(error.message).toMatch(named);
    expect(error.hint).toBeTruthy();
  });
});

test('is declared as safe to repeat and to overlap', () => {
  expect(charts.tool.spec).toMatchObject({ idempotent: true, concurrencySafe: true });
});
