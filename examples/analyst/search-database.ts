import { readOnlySql } from '../../src/guards/read-only-sql.ts';
import { defineTool, ToolError, type Tool } from '../../src/index.ts';
import { databaseNames, type DatabaseName } from './database-names.ts';
import type { Databases } from './databases.ts';
import { queryError, stoppedQueryError } from './query-error.ts';
import type { QueryResult } from './query-result.ts';

const rowsMax = 1_000;

/** What the model reads of a query's result. */
export interface SearchResult {
  database: DatabaseName;
  /** In the query's order. */
  columns: string[];
  row_count: number;
  rows: QueryResult['rows'];
  /** Whether `limit` cut rows off. */
  has_more: boolean;
  note?: string;
}

export const searchDatabase = (databases: Databases): Tool =>
  defineTool({
    name: 'search_database',
    description: [
      'Runs one SQL query (PostgreSQL) on a database and returns the rows.',
      'Use it for every number in an answer; aggregate in SQL instead of reading many rows, and call describe_database first when the tables are not known.',
      'Constraints: SELECT only (WITH and VALUES included), no DDL or DML, one statement; table names with schema prefix, like world.countries; built-in functions only.',
      'Output: JSON with columns, rows (a list of objects), row_count and has_more, which is true when limit cut rows off. At most 1000 rows.',
    ].join('\n'),
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'SQL SELECT statement; table names with schema prefix' },
        database: { type: 'string', enum: [...databaseNames], description: 'Database to query' },
        limit: { type: 'integer', default: 100, description: 'Maximum number of rows to return' },
      },
      required: ['query', 'database'],
    },
    readOnly: true,
    timeoutMs: 60_000,
    execute: async (args, { signal }): Promise<SearchResult> => {
      const database = args.database as DatabaseName;
      const limit = rowLimit(args.limit);
      const { sql, tables: used } = await readOnlySql(String(args.query));
      try {
        const { columns, rows, hasMore } = await databases.query(database, sql, { limit, signal });
        return {
          database,
          columns,
          row_count: rows.length,
          rows,
          has_more: hasMore,
          ...(rows.length === 0 ? { note: 'The query ran and no row matches.' } : {}),
        };
      } catch (error) {
        if (signal.aborted) throw error;
        const { name, reason, code } = error as {
          name?: string;
          reason?: 'timeout' | 'crashed';
          code?: string;
        };
        if (name === 'ThreadError' && reason) throw stoppedQueryError(reason, database);
        if (code === '57014') throw stoppedQueryError('timeout', database);
        throw queryError(error, { database, used, tables: await databases.tables(database, { signal }) });
      }
    },
  });

function rowLimit(limit: unknown): number {
  const rows = limit === undefined ? 100 : Number(limit);
  if (Number.isInteger(rows) && rows >= 1) return Math.min(rows, rowsMax);
  throw new ToolError(`limit is ${String(limit)}. It counts rows, from 1 to ${rowsMax}.`, {
    hint: 'Leave limit out for 100 rows.',
  });
}
