import { openDatabases, type Databases } from '../../../examples/analyst/databases.ts';
import { searchDatabase, type SearchResult } from '../../../examples/analyst/search-database.ts';
import type { Tool } from '../../../src/index.ts';
import { callTool, failureOf } from './tool-context.ts';

/** Functions of the database's own, run with the owner's rights: the parser alone could not know what they do. */
const traps = `
  CREATE SCHEMA trap;
  CREATE FUNCTION trap.wipe() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS
    'DELETE FROM world.indicators; SELECT count(*) FROM world.indicators';
  GRANT USAGE ON SCHEMA trap TO analyst_reader;
`;

let databases: Databases;
let tool: Tool;

beforeAll(() => {
  databases = openDatabases({ queryTimeoutMs: 3_000, changes: { production: traps } });
  tool = searchDatabase(databases);
});
afterAll(() => databases.close());

const search = async (
  query: string,
  more: { database?: string; limit?: number } = {},
): Promise<SearchResult> =>
  (await callTool(tool, { query, database: 'production', ...more })) as SearchResult;

test('goes over the wire as exactly this', () => {
  expect({ name: tool.name, description: tool.spec.description, parameters: tool.schema }).toEqual({
    name: 'search_database',
    description:
      'Runs one SQL query (PostgreSQL) on a database and returns the rows.\n' +
      'Use it for every number in an answer; aggregate in SQL instead of reading many rows, and call describe_database first when the tables are not known.\n' +
      'Constraints: SELECT only (WITH and VALUES included), no DDL or DML, one statement; table names with schema prefix, like world.countries; built-in functions only.\n' +
      'Output: JSON with columns, rows (a list of objects), row_count and has_more, which is true when limit cut rows off. At most 1000 rows.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'SQL SELECT statement; table names with schema prefix' },
        database: {
          type: 'string',
          enum: ['production', 'staging', 'analytics'],
          description: 'Database to query',
        },
        limit: { type: 'integer', default: 100, description: 'Maximum number of rows to return' },
      },
      required: ['query', 'database'],
    },
  });
  expect(tool.spec.readOnly).toBe(true);
});

test('returns the rows of a query', async () => {
  const result = await search('SELECT id, name FROM world.regions ORDER BY id LIMIT 2');
  expect(result).toEqual({
    database: 'production',
    columns: ['id', 'name'],
    row_count: 2,
    rows: [
      { id: 0, name: 'South Asia' },
      { id: 1, name: 'Europe and Central Asia' },
    ],
    has_more: false,
  });
});

test('the three databases differ: staging ends earlier, analytics has sums by region', async () => {
  const years = 'SELECT max(year) AS year FROM world.indicators';
  expect((await search(years)).rows).toEqual([{ year: 2005 }]);
  expect((await search(years, { database: 'staging' })).rows).toEqual([{ year: 1995 }]);
  const sums = await search('SELECT count(*) AS n FROM reporting.region_years', { database: 'analytics' });
  expect(sums.rows).toEqual([{ n: 66 }]);
  expect((await search('SELECT count(*) AS n FROM economy.incomes')).rows).toEqual([{ n: 187 }]);
});

describe('limit', () => {
  test('is 100 rows when nothing is said, and more rows are told of', async () => {
    const result = await search('SELECT * FROM world.indicators');
    expect([result.row_count, result.rows.length, result.has_more]).toEqual([100, 100, true]);
  });
  test('that fits exactly leaves no more', async () => {
    const result = await search('SELECT * FROM world.regions', { limit: 6 });
    expect([result.row_count, result.has_more]).toEqual([6, false]);
  });
  test.each([
    ['LIMIT ALL', 'SELECT * FROM world.indicators LIMIT ALL'],
    ['a larger LIMIT', 'SELECT * FROM world.indicators LIMIT 500'],
    ['a comment at the end', 'SELECT * FROM world.indicators --'],
    ['UNION', 'SELECT year FROM world.indicators UNION ALL SELECT year FROM world.indicators'],
    ['WITH', 'WITH w AS (SELECT * FROM world.indicators) SELECT * FROM w'],
  ])('holds from outside whatever the query says: %s', async (_title, query) => {
    const result = await search(query, { limit: 3 });
    expect([result.rows.length, result.has_more]).toEqual([3, true]);
  });
  test('beyond 1,000 rows is 1,000', async () => {
    const result = await search('SELECT g FROM generate_series(1, 5000) g', { limit: 100_000 });
    expect([result.rows.length, result.has_more]).toEqual([1_000, true]);
  });
  test.each([0, -5, 1.5])('of %p is refused with what it means', async (limit) => {
    const error = await failureOf(search('SELECT 1', { limit }));
    expect(error).toMatchObject({
      name: 'ToolError',
      message: `limit is ${limit}. It counts rows, from 1 to 1000.`,
    });
  });
});

describe('values', () => {
  test('numbers are numbers where JavaScript has them, else text', async () => {
    const { rows } = await search(
      `SELECT 12.50::numeric AS price, 2::bigint AS two, 12345678901234567890::numeric AS large,
              9007199254740993::bigint AS odd, 'NaN'::float8 AS nan, 'Infinity'::numeric AS infinite, NULL::numeric AS none`,
    );
    expect(rows).toEqual([
      {
        price: 12.5,
        two: 2,
        large: '12345678901234567890',
        odd: '9007199254740993',
        nan: 'NaN',
        infinite: 'Infinity',
        none: null,
      },
    ]);
  });
  test('dates and times stay as PostgreSQL writes them, times in UTC', async () => {
    const { rows } = await search(
      "SELECT DATE '2020-02-29' AS day, TIMESTAMPTZ '2020-01-01 10:00+02' AS at, INTERVAL '90 minutes' AS long",
    );
    expect(rows).toEqual([{ day: '2020-02-29', at: '2020-01-01 08:00:00+00', long: '01:30:00' }]);
  });
  test('JSON, arrays, truth and bytes are JSON', async () => {
    const { rows } = await search(
      "SELECT '{\"a\": [1, null]}'::jsonb AS j, ARRAY[1.5, 2] AS list, true AS yes, '\\x00ff'::bytea AS bytes",
    );
    expect(rows).toEqual([{ j: { a: [1, null] }, list: [1.5, 2], yes: true, bytes: '\\x00ff' }]);
  });
  test('columns of the same name all stay', async () => {
    const result = await search('SELECT 1 AS a, 2 AS a, 3 AS a');
    expect(result.columns).toEqual(['a', 'a_2', 'a_3']);
    expect(result.rows).toEqual([{ a: 1, a_2: 2, a_3: 3 }]);
  });
  test('a long text is cut and says how long it is', async () => {
    const { rows } = await search("SELECT repeat('é', 50000) AS t");
    expect(rows[0]!.t).toMatch(/^é{10000}… \[cut: 50,000 characters\]$/);
  });
  test('rows of many characters end the result before it grows beyond a megabyte', async () => {
    const result = await search("SELECT repeat('x', 9000) AS t FROM generate_series(1, 900)", { limit: 900 });
    expect(result.has_more).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(1_100_000);
  });
  test('no rows are said in words, with the columns', async () => {
    expect(await search('SELECT name FROM world.countries WHERE false')).toMatchObject({
      columns: ['name'],
      row_count: 0,
      rows: [],
      note: 'The query ran and no row matches.',
    });
  });
});

describe('errors', () => {
  test('an unknown table lists those of that database, near ones first', async () => {
    const error = await failureOf(search('SELECT * FROM world.country_stats'));
    expect(error).toMatchObject({
      name: 'ToolError',
      message:
        'Relation "world.country_stats" does not exist in database "production". ' +
        'Tables there: world.countries, world.indicators, world.regions, economy.incomes.',
    });
    const other = await failureOf(search('SELECT * FROM world.countries', { database: 'analytics' }));
    expect(other.message).toContain('Tables there: reporting.');
    expect(other.message).not.toContain('world.indicators');
    const elsewhere = await failureOf(search('SELECT * FROM reporting.regions'));
    expect(elsewhere.message).toContain('Tables there: world.regions,');
  });
  test('a table without its schema says so', async () => {
    expect((await failureOf(search('SELECT * FROM countries'))).hint).toContain(
      'Write the schema before the table',
    );
  });
  test("an unknown column lists the columns of the query's tables", async () => {
    const error = await failureOf(search('SELECT c.nam FROM world.countries c'));
    expect(error.message).toContain('Column c.nam does not exist');
    expect(error.message).toContain('Columns of world.countries: id, name, region_id.');
    expect(error.hint).toContain('c.name');
  });
  test('other errors are PostgreSQL’s own, with their code', async () => {
    const error = await failureOf(search('SELECT 1 / 0'));
    expect(error.message).toBe('Division by zero in database "production". (SQLSTATE 22012)');
  });
  test('a query that is no SELECT is refused before it reaches the database', async () => {
    const error = await failureOf(search('DROP TABLE world.countries'));
    expect(error).toMatchObject({ name: 'ReadOnlySqlError' });
    expect((await search('SELECT count(*) AS n FROM world.countries')).rows).toEqual([{ n: 62 }]);
  });
  test('a query that runs too long is stopped, and the database answers again', async () => {
    const endless = 'SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 100000) b';
    const error = await failureOf(search(endless, { database: 'staging' }));
    expect(error.name).toBe('ToolError');
    expect(error.message).toContain('took too long and was stopped');
    expect((await search('SELECT 1 AS one', { database: 'staging' })).rows).toEqual([{ one: 1 }]);
  });
  test('a cancelled call ends at once with the reason of its signal', async () => {
    const cancel = new AbortController();
    const endless = 'SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 100000) b';
    const call = callTool(tool, { query: endless, database: 'analytics' }, { signal: cancel.signal });
    cancel.abort(new Error('the user said stop'));
    await expect(call).rejects.toThrow('the user said stop');
  });
});

describe('without the parser', () => {
  const run = (sql: string): Promise<{ name: string; message: string; hint: string }> =>
    failureOf(databases.query('production', sql, { limit: 10 }));

  test('the read-only transaction alone refuses a write, even with the owner’s rights', async () => {
    expect(await run('SELECT trap.wipe()')).toMatchObject({
      code: '25006',
      message: 'cannot execute DELETE in a read-only transaction',
    });
    expect((await search('SELECT count(*) AS n FROM world.indicators')).rows).toEqual([{ n: 682 }]);
  });
  test('the role alone refuses what a reader may not do', async () => {
    expect(await run("SELECT pg_read_file('PG_VERSION')")).toMatchObject({ code: '42501' });
    expect(await run('SELECT * FROM pg_authid')).toMatchObject({ code: '42501' });
    expect(await run("SELECT setval('world.countries_id_seq', 1)")).toMatchObject({ code: '42501' });
  });
  test('the cursor alone refuses whatever is no query', async () => {
    expect(await run('DELETE FROM world.indicators')).toMatchObject({ code: '42601' });
    expect(await run('SELECT 1; DELETE FROM world.indicators')).toMatchObject({ code: '42601' });
    expect(await run('WITH d AS (DELETE FROM world.indicators RETURNING 1) SELECT * FROM d')).toMatchObject({
      message: expect.stringMatching(/DECLARE CURSOR must not contain data-modifying statements/),
    });
  });
  test('nothing a query set is left for the next one', async () => {
    await databases.query('production', "SELECT set_config('search_path', 'world', false)", { limit: 1 });
    const { rows } = await search('SELECT current_schema() AS schema');
    expect(rows).toEqual([{ schema: 'pg_catalog' }]);
  });
});
