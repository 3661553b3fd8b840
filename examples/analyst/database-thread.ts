import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { DatabaseName } from './database-names.ts';
import { describeTables } from './describe-tables.ts';
import { fillDatabase, readerRole } from './fill-database.ts';
import type { DatabaseRequest, QueryResult, TableDescription } from './query-result.ts';
import { resultParsers, resultValue } from './result-values.ts';
import { serveRequests } from './serve-requests.ts';

/** One database, in memory, in a thread of its own. */
export interface DatabaseThreadData {
  name: DatabaseName;
  /** SQL that changes the data after it was filled in. */
  changes?: string;
}

const { name, changes } = workerData as DatabaseThreadData;
const db = await PGlite.create({ parsers: resultParsers });
await fillDatabase(db, name);
if (changes !== undefined) await db.exec(changes);

serveRequests(
  (request: DatabaseRequest) =>
    reading<QueryResult | TableDescription[]>(request.kind === 'query' ? request.timeoutMs : 0, () =>
      request.kind === 'query' ? firstRows(request.sql, request.limit) : describeTables(db),
    ),
  // PostgreSQL's own errors have a five-letter SQLSTATE; anything else is the engine itself (out of memory, a trap).
  (error) => !/^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)),
);

/** Rows fetched at a time, and the size of a result from which no more are fetched. */
const batchRows = 50;
const resultCharsMax = 1_000_000;

/**
 * Runs inside a transaction that reads only, as a role that may do nothing else, with no schema in the search path but
 * PostgreSQL's: the second wall behind the parser. `statement_timeout` has no effect in PGlite, which has no timer signal;
 * it is set for what it says on a server, while here the thread is ended when the time is up.
 */
async function reading<T>(timeoutMs: number, read: () => Promise<T>): Promise<T> {
  await db.exec(`
    BEGIN READ ONLY;
    SET LOCAL statement_timeout = ${Math.trunc(timeoutMs)};
    SET LOCAL standard_conforming_strings = on;
    SET LOCAL search_path = pg_catalog;
    SET LOCAL timezone = 'UTC';
    SET LOCAL ROLE ${readerRole};
  `);
  try {
    return await read();
  } finally {
    await db.exec('ROLLBACK');
  }
}

/** A cursor bounds the rows from outside: whatever stands in the query, no more than these are ever fetched. */
async function firstRows(sql: string, limit: number): Promise<QueryResult> {
  await db.query(`DECLARE asked NO SCROLL CURSOR FOR ${sql}`);
  const rows: QueryResult['rows'] = [];
  let columns: string[] = [];
  let chars = 0;
  while (true) {
    const wanted = Math.min(batchRows, limit + 1 - rows.length);
    const batch = await db.query<unknown[]>(`FETCH ${wanted} FROM asked`, [], { rowMode: 'array' });
    columns = uniqueNames(batch.fields.map((field) => field.name));
    for (const values of batch.rows) {
      const row = Object.fromEntries(columns.map((column, i) => [column, resultValue(values[i])]));
      chars += JSON.stringify(row).length;
      if (rows.length === limit || (rows.length > 0 && chars > resultCharsMax))
        return { columns, rows, hasMore: true };
      rows.push(row);
    }
    if (batch.rows.length < wanted) return { columns, rows, hasMore: false };
  }
}

/** `SELECT 1 AS a, 2 AS a` has two columns, not one. */
function uniqueNames(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}
