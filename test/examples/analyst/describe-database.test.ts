import { describeDatabase, type DatabaseDescription } from '../../../examples/analyst/describe-database.ts';
import { openDatabases } from '../../../examples/analyst/databases.ts';
import { observe } from '../../../src/tools/observe.ts';
import { callTool, failureOf } from './tool-context.ts';

const databases = openDatabases();
const tool = describeDatabase(databases);
afterAll(() => databases.close());

const describeIt = async (args: { database: string; table?: string }): Promise<DatabaseDescription> =>
  (await callTool(tool, args)) as DatabaseDescription;

test('shows every table with schema, columns with types, row count and comment', async () => {
  const { database, tables } = await describeIt({ database: 'production' });
  expect(database).toBe('production');
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ['economy.incomes', 187],
    ['world.countries', 62],
    ['world.indicators', 682],
    ['world.regions', 6],
  ]);
  expect(tables[2]).toEqual({
    table: 'world.indicators',
    kind: 'table',
    rows: 682,
    columns: [
      'country_id integer',
      'year integer',
      'population bigint',
      'life_expectancy numeric(5,2) - years, at birth',
      'fertility numeric(4,2) - babies per woman',
    ],
    comment:
      'One row a country and year, every five years from 1955. Source: Gapminder (gapminder.org), CC BY 4.0.',
  });
});

test('shows only what the analyst may read: analytics has its views and not the tables behind them', async () => {
  const { tables } = await describeIt({ database: 'analytics' });
  expect(tables.map(({ table, kind }) => [table, kind])).toEqual([
    ['reporting.region_growth', 'view'],
    ['reporting.region_years', 'view'],
  ]);
});

test('shows one table when it is named, whatever the case', async () => {
  const { tables } = await describeIt({ database: 'production', table: ' World.Countries ' });
  expect(tables.map(({ table }) => table)).toEqual(['world.countries']);
});

test('an unknown table lists those there are, near ones first', async () => {
  const error = await failureOf(describeIt({ database: 'production', table: 'world.indicator' }));
  expect(error.name).toBe('ToolError');
  expect(error.message).toContain('Tables there: world.indicators,');
});

test('a whole description reaches the model uncut', async () => {
  const outcome = await observe(await describeIt({ database: 'production' }), {
    tool: tool.name,
    spec: tool.spec,
    maxChars: 500,
    ref: '1/1/0',
    key: 'result/x',
    store: { put: () => Promise.resolve(true), get: () => Promise.resolve(undefined) } as never,
  });
  expect(JSON.parse(outcome.text)).toEqual(await describeIt({ database: 'production' }));
});
