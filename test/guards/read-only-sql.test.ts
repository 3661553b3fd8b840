import fc from 'fast-check';
import { readOnlySql, sqlCharsMax } from '../../src/guards/read-only-sql.ts';
import { propertySeed } from '../setup/property-seed.ts';

const refusalOf = async (sql: string): Promise<{ name: string; message: string; hint: string }> => {
  try {
    const passed = await readOnlySql(sql);
    throw new Error(`it passed as ${JSON.stringify(passed)}`);
  } catch (error) {
    const { name, message, hint } = error as { name: string; message: string; hint: string };
    if (name !== 'ReadOnlySqlError') throw error;
    return { name, message, hint };
  }
};

describe('what reads passes', () => {
  const passing: [title: string, sql: string, tables: string[]][] = [
    ['a SELECT', 'SELECT a, count(*) FROM world.countries GROUP BY a', ['world.countries']],
    ['a table without a schema', 'select 1 from countries', ['countries']],
    [
      'a join, each table once',
      'SELECT 1 FROM a.b x JOIN a.c USING (id) JOIN a.b y USING (id)',
      ['a.b', 'a.c'],
    ],
    ['WITH, whose name is no table', 'WITH w AS (SELECT 1 FROM s.t) SELECT * FROM w', ['s.t']],
    [
      'WITH RECURSIVE',
      'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM n',
      [],
    ],
    ['VALUES', "VALUES (1, 'a'), (2, 'b')", []],
    ['TABLE', 'TABLE world.countries', ['world.countries']],
    ['UNION', 'SELECT 1 FROM a.b UNION (SELECT 2 FROM a.c LIMIT 1)', ['a.b', 'a.c']],
    [
      'a subquery in every place',
      'SELECT (SELECT max(x) FROM a.b) FROM a.c WHERE y IN (SELECT y FROM a.d) ORDER BY (SELECT 1 FROM a.e)',
      ['a.b', 'a.c', 'a.d', 'a.e'],
    ],
    ['window functions', 'SELECT rank() OVER (PARTITION BY r ORDER BY p DESC) FROM a.b', ['a.b']],
    [
      'the functions behind EXTRACT, SUBSTRING and AT TIME ZONE',
      "SELECT extract(year FROM now() AT TIME ZONE 'UTC'), substring('abc' FROM 2), trim('x ')",
      [],
    ],
    [
      'LATERAL, FILTER and JSON',
      "SELECT count(*) FILTER (WHERE j ->> 'a' = 'b') FROM a.b, LATERAL jsonb_each(j)",
      ['a.b'],
    ],
    ['information_schema', 'SELECT table_name FROM information_schema.tables', ['information_schema.tables']],
    [
      'system tables that describe the schema',
      'SELECT relname FROM pg_catalog.pg_class JOIN pg_namespace n ON true',
      ['pg_catalog.pg_class', 'pg_namespace'],
    ],
    ['words that look like an attack inside a text', "SELECT 'DROP TABLE x; --' AS note", []],
    ['quoted names as they are', 'SELECT 1 FROM "My Schema"."T"', ['My Schema.T']],
  ];
  test.each(passing)('%s', async (_title, sql, tables) => {
    const read = await readOnlySql(sql);
    expect(read.sql).toBe(sql);
    expect(
      read.tables.map(({ schema, name }) => (schema === undefined ? name : `${schema}.${name}`)),
    ).toEqual(tables);
  });

  test('what stood around the statement is left out, whatever characters it has', async () => {
    const { sql } = await readOnlySql("/* é 🦊 */ ;; SELECT 'ü' AS a ; -- the end 🦊");
    expect(sql).toBe("SELECT 'ü' AS a");
  });

  test('a function of the database is called only when it was named', async () => {
    await expect(readOnlySql('SELECT stats.share(1)')).rejects.toMatchObject({ name: 'ReadOnlySqlError' });
    await expect(readOnlySql('SELECT stats.share(1)', { functions: ['stats.share'] })).resolves.toBeDefined();
  });
});

describe('what changes anything is refused', () => {
  const attacks: [title: string, sql: string, named: RegExp][] = [
    ['INSERT', 'INSERT INTO a.b VALUES (1)', /INSERT/],
    ['UPDATE', 'UPDATE a.b SET x = 1', /UPDATE/],
    ['DELETE', 'DELETE FROM a.b', /DELETE/],
    ['MERGE', 'MERGE INTO a.b USING a.c ON true WHEN MATCHED THEN DELETE', /MERGE/],
    ['TRUNCATE', 'TRUNCATE a.b', /TRUNCATE/],
    ['DROP', 'DROP TABLE a.b', /DROP/],
    ['ALTER', 'ALTER TABLE a.b ADD c int', /ALTER TABLE/],
    ['CREATE TABLE', 'CREATE TABLE x (a int)', /CREATE TABLE/],
    ['CREATE TABLE AS', 'CREATE TABLE x AS SELECT 1', /CREATE TABLE AS/],
    ['CREATE VIEW', 'CREATE VIEW x AS SELECT 1', /CREATE VIEW/],
    ['CREATE FUNCTION', "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", /CREATE FUNCTION/],
    ['CREATE EXTENSION', 'CREATE EXTENSION dblink', /CREATE EXTENSION/],
    ['GRANT', 'GRANT ALL ON a.b TO public', /GRANT/],
    ['COPY to a program', "COPY (SELECT 1) TO PROGRAM 'sh'", /COPY/],
    ['COPY from a file', "COPY a.b FROM '/etc/passwd'", /COPY/],
    ['SET', 'SET statement_timeout = 0', /SET/],
    ['SET ROLE', 'SET ROLE postgres', /SET/],
    ['RESET', 'RESET ROLE', /SET/],
    ['SHOW', 'SHOW ALL', /SHOW/],
    ['BEGIN', 'BEGIN READ WRITE', /transaction control/],
    ['COMMIT', 'COMMIT', /transaction control/],
    ['EXPLAIN', 'EXPLAIN SELECT 1', /EXPLAIN/],
    ['EXPLAIN ANALYZE, which runs what it explains', 'EXPLAIN ANALYZE DELETE FROM a.b', /EXPLAIN ANALYZE/],
    ['EXPLAIN with ANALYZE as an option', 'EXPLAIN (VERBOSE, ANALYZE) SELECT 1', /EXPLAIN ANALYZE/],
    ['DO', 'DO $$ BEGIN DELETE FROM a.b; END $$', /DO/],
    ['CALL', 'CALL p()', /CALL/],
    ['PREPARE', 'PREPARE p AS DELETE FROM a.b', /PREPARE/],
    ['EXECUTE', 'EXECUTE p', /EXECUTE/],
    ['DECLARE CURSOR', 'DECLARE c CURSOR FOR SELECT 1', /DECLARE CURSOR/],
    ['FETCH', 'FETCH ALL FROM c', /FETCH/],
    ['LISTEN', 'LISTEN x', /LISTEN/],
    ['NOTIFY', "NOTIFY x, 'y'", /NOTIFY/],
    ['LOCK', 'LOCK TABLE a.b', /LOCK/],
    ['VACUUM', 'VACUUM', /VACUUM/],
    ['LOAD', "LOAD 'x'", /LOAD/],
    ['CHECKPOINT', 'CHECKPOINT', /CHECK ?POINT/],
    ['ALTER SYSTEM', 'ALTER SYSTEM SET x = 1', /ALTER SYSTEM/],
    ['SELECT INTO', 'SELECT * INTO x FROM a.b', /SELECT INTO/],
    ['SELECT INTO TEMP', 'SELECT * INTO TEMP x FROM a.b', /SELECT INTO/],
    ['SELECT INTO in the first part of a UNION', 'SELECT 1 INTO x UNION SELECT 2', /SELECT INTO/],
    ['FOR UPDATE', 'SELECT * FROM a.b FOR UPDATE', /locking/],
    ['FOR SHARE in a subquery', 'SELECT * FROM (SELECT * FROM a.b FOR SHARE) q', /locking/],
    ['FOR NO KEY UPDATE SKIP LOCKED', 'SELECT * FROM a.b FOR NO KEY UPDATE SKIP LOCKED', /locking/],
    ['DELETE in a WITH', 'WITH d AS (DELETE FROM a.b RETURNING *) SELECT * FROM d', /DELETE/],
    ['INSERT in a WITH that nothing reads', 'WITH i AS (INSERT INTO a.b VALUES (1)) SELECT 1', /INSERT/],
    [
      'UPDATE in a WITH of a subquery',
      'SELECT * FROM (WITH u AS (UPDATE a.b SET x = 1 RETURNING x) SELECT * FROM u) q',
      /UPDATE/,
    ],
    [
      'MERGE in a WITH',
      'WITH m AS (MERGE INTO a.b USING a.c ON true WHEN MATCHED THEN DELETE RETURNING 1) SELECT 1',
      /MERGE/,
    ],
    ['WITH before a DELETE', 'WITH w AS (SELECT 1) DELETE FROM a.b', /DELETE/],
    ['two statements', 'SELECT 1; DROP TABLE a.b', /2 statements/],
    [
      'two statements, the second behind a comment',
      'SELECT 1 /* ; */ ; /**/ DELETE FROM a.b --',
      /2 statements/,
    ],
    ['two SELECTs', 'SELECT 1; SELECT 2;', /2 statements/],
    ['a statement behind a text with an escaped quote', "SELECT 'a'';'; DELETE FROM a.b", /2 statements/],
    ['a statement behind a dollar-quoted text', 'SELECT $x$;$x$; DELETE FROM a.b', /2 statements/],
    ['a statement behind a nested comment', 'SELECT 1 /* /* */ ; */; DELETE FROM a.b', /2 statements/],
    ['a statement behind an escape text', "SELECT E'\\''; DELETE FROM a.b --'", /2 statements/],
    ['a parameter', 'SELECT $1', /parameter/],
    ["an operator of the database's own", 'SELECT 1 OPERATOR(evil.+) 2', /operator/],
  ];
  test.each(attacks)('%s', async (_title, sql, named) => {
    const { message, hint } = await refusalOf(sql);
    expect(message).toMatch(named);
    expect(hint).not.toBe('');
  });
});

describe('functions that do more than compute are refused', () => {
  const calls: [title: string, sql: string, name: string][] = [
    ['reading a file', "SELECT pg_read_file('/etc/passwd')", 'pg_read_file'],
    [
      'reading a file with the schema before the name',
      "SELECT pg_catalog.pg_read_file('/etc/passwd')",
      'pg_read_file',
    ],
    ['reading a file, quoted', 'SELECT "pg_read_file"(\'/etc/passwd\')', 'pg_read_file'],
    ['reading a file, in Unicode escapes', 'SELECT U&"\\0070g_read_file"(\'/etc/passwd\')', 'pg_read_file'],
    ['reading a file, in capitals', "SELECT PG_READ_FILE('/etc/passwd')", 'pg_read_file'],
    ['reading bytes of a file', "SELECT pg_read_binary_file('x')", 'pg_read_binary_file'],
    ['listing a directory', "SELECT * FROM pg_ls_dir('/')", 'pg_ls_dir'],
    ['sleeping', 'SELECT pg_sleep(60)', 'pg_sleep'],
    ['sleeping in a condition', 'SELECT 1 WHERE (SELECT true FROM pg_sleep(60)) IS NULL', 'pg_sleep'],
    ['sleeping in ORDER BY', 'SELECT 1 ORDER BY pg_sleep(60)', 'pg_sleep'],
    ['sleeping in a LIMIT', "SELECT 1 LIMIT (SELECT length(pg_sleep_for('1 min')::text))", 'pg_sleep_for'],
    ['sleeping in a window', 'SELECT count(*) OVER (ORDER BY pg_sleep(1)) FROM a.b', 'pg_sleep'],
    ['sleeping in a FILTER', 'SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM a.b', 'pg_sleep'],
    ['sleeping in a join', 'SELECT 1 FROM a.b JOIN a.c ON pg_sleep(1) IS NULL', 'pg_sleep'],
    ['sleeping among rows', 'SELECT * FROM ROWS FROM (generate_series(1, 2), pg_sleep(1)) x', 'pg_sleep'],
    ['sleeping in VALUES', 'VALUES (pg_sleep(1))', 'pg_sleep'],
    [
      'sleeping in TABLESAMPLE',
      'SELECT * FROM a.b TABLESAMPLE system (length(pg_sleep(1)::text))',
      'pg_sleep',
    ],
    ['importing a file as a large object', "SELECT lo_import('/etc/passwd')", 'lo_import'],
    ['exporting a large object', "SELECT lo_export(1, '/tmp/x')", 'lo_export'],
    ['connecting elsewhere', "SELECT * FROM dblink('host=x', 'DELETE FROM t') AS t(a int)", 'dblink'],
    ['ending other sessions', 'SELECT pg_terminate_backend(1)', 'pg_terminate_backend'],
    ['cancelling other queries', 'SELECT pg_cancel_backend(1)', 'pg_cancel_backend'],
    ['changing a setting', "SELECT set_config('role', 'postgres', false)", 'set_config'],
    ['reading a setting', "SELECT current_setting('data_directory')", 'current_setting'],
    ['advancing a sequence', "SELECT nextval('a.s')", 'nextval'],
    ['setting a sequence', "SELECT setval('a.s', 1)", 'setval'],
    ['a query given as text', "SELECT query_to_xml('DELETE FROM t', true, true, '')", 'query_to_xml'],
    ['a table by name as text', "SELECT table_to_xml('pg_authid', true, true, '')", 'table_to_xml'],
    ['a query given as text to ts_stat', "SELECT * FROM ts_stat('SELECT 1')", 'ts_stat'],
    ['a query given as text to ts_rewrite', "SELECT ts_rewrite('a'::tsquery, 'SELECT 1')", 'ts_rewrite'],
    ['holding a lock', 'SELECT pg_advisory_lock(1)', 'pg_advisory_lock'],
    ['notifying', "SELECT pg_notify('a', 'b')", 'pg_notify'],
    ['writing to the log', "SELECT pg_logical_emit_message(false, 'a', 'b')", 'pg_logical_emit_message'],
    ['reloading the configuration', 'SELECT pg_reload_conf()', 'pg_reload_conf'],
    ["a function of the database's own with a harmless name", 'SELECT evil.lower(1)', 'evil.lower'],
    ['a function nobody knows', 'SELECT do_it_now()', 'do_it_now'],
  ];
  test.each(calls)('%s', async (_title, sql, name) => {
    const { message, hint } = await refusalOf(sql);
    expect(message).toContain(
      `the function ${message.includes(`pg_catalog.${name}`) ? 'pg_catalog.' : ''}${name}`,
    );
    expect(hint).toContain('compute');
  });

  test('a slip of the pen gets a suggestion', async () => {
    expect((await refusalOf('SELECT cound(*) FROM a.b')).hint).toContain('Did you mean "count"?');
  });
});

describe('system tables that hold secrets are refused', () => {
  test.each([
    ['password hashes', 'SELECT * FROM pg_authid'],
    ['password hashes with the schema before the name', 'SELECT * FROM pg_catalog.pg_shadow'],
    ['password hashes by TABLE', 'TABLE pg_authid'],
    [
      'password hashes behind a WITH of the same name elsewhere',
      'SELECT * FROM (WITH pg_authid AS (SELECT 1) SELECT * FROM pg_authid) q, pg_authid',
    ],
    [
      'password hashes in the WITH that takes their name',
      'WITH pg_authid AS (SELECT * FROM pg_authid) SELECT * FROM pg_authid',
    ],
    ['foreign passwords', 'SELECT umoptions FROM pg_user_mappings'],
    ["other sessions' queries", 'SELECT query FROM pg_stat_activity'],
    ['large objects', 'SELECT data FROM pg_largeobject'],
    ['settings', 'SELECT * FROM pg_settings'],
    ['the access rules', 'SELECT * FROM pg_hba_file_rules'],
    ['samples of the data', 'SELECT * FROM pg_statistic'],
    ['raw storage', 'SELECT * FROM pg_toast.pg_toast_1'],
  ])('%s', async (_title, sql) => {
    expect((await refusalOf(sql)).message).toContain('reading pg_');
  });
});

describe('what can not be read is refused', () => {
  test.each([
    ['nothing', ' \n', /empty/],
    ['only a comment', '-- SELECT 1', /no statement/],
    ['only semicolons', ';;', /no statement/],
    [
      'broken syntax, with the place',
      'SELECT FROM WHERE',
      /not valid PostgreSQL: syntax error at or near "WHERE" \(at character 13\)/,
    ],
    ['an open quote', "SELECT 'a", /unterminated/],
    ['a NUL character, where texts end in C', 'SELECT 1 \0; DROP TABLE a.b', /NUL/],
    ['an expression nested too deeply', `SELECT ${'1+'.repeat(9_500)}1`, /nested too deeply/],
    ['a text beyond the bound', `SELECT '${'x'.repeat(sqlCharsMax)}'`, /at most 20000/],
  ])('%s', async (_title, sql, named) => {
    const refused = await readOnlySql(sql).then(
      () => '',
      (error: { name: string; message: string }) => `${error.name}: ${error.message}`,
    );
    expect(refused.replace(/^ReadOnlySqlError: /, '')).toMatch(named);
  });

  test('after a text that broke the parser the next one is read as ever', async () => {
    await expect(readOnlySql(`SELECT ${'1+'.repeat(9_500)}1`)).rejects.toBeDefined();
    await expect(readOnlySql('SELECT 1 FROM a.b')).resolves.toEqual({
      sql: 'SELECT 1 FROM a.b',
      tables: [{ schema: 'a', name: 'b' }],
    });
  });
});

test('any text is either refused by name or is one statement that reads the same again', async () => {
  const word = fc.constantFrom(
    ...'SELECT FROM WITH w AS ( ) , ; DELETE INSERT INTO UPDATE a.b pg_sleep 1 * -- /* */ \' " $$ \\ FOR UNION VALUES é 🦊'.split(
      ' ',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (words) => {
      const read = await readOnlySql(words.join(' ')).catch((error: { name: string }) => error.name);
      if (typeof read === 'string') expect(read).toBe('ReadOnlySqlError');
      else {
        expect(read.sql).toMatch(/^(SELECT|VALUES|WITH|\(|--|\/\*)/);
        expect(await readOnlySql(read.sql)).toEqual(read);
      }
    }),
    { numRuns: 500, seed: propertySeed },
  );
});
