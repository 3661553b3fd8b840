import { databaseNames, type DatabaseName } from './database-names.ts';
import type { DatabaseThreadData } from './database-thread.ts';
import type { DatabaseRequest, QueryResult, TableDescription } from './query-result.ts';
import { WorkThread } from './work-thread.ts';

export interface Databases {
  /**
   * Runs a query as it is, in a read-only transaction, and gives at most `limit` rows. Check it by `readOnlySql` first.
   * Rejects with PostgreSQL's error (`code` is its SQLSTATE), a `ThreadError`, or the signal's reason.
   */
  query(
    database: DatabaseName,
    sql: string,
    options: { limit: number; signal?: AbortSignal },
  ): Promise<QueryResult>;
  tables(database: DatabaseName, options?: { signal?: AbortSignal }): Promise<TableDescription[]>;
  /** Ends the threads; the data was in memory only. */
  close(): Promise<void>;
}

export interface DatabasesOptions {
  /** Longest time of one query, in ms. Default: 10,000. */
  queryTimeoutMs?: number;
  /** SQL by database that changes the data after it was filled in, to try how answers follow the data. */
  changes?: { [database in DatabaseName]?: string };
}

/** A request is ended from outside a little after PostgreSQL itself should have. */
const graceMs = 500;

/**
 * Three PostgreSQL databases, embedded, in memory. Each starts with the first question to it, in a thread of its own,
 * so queries to two of them overlap and none delays a heartbeat.
 */
export function openDatabases({ queryTimeoutMs = 10_000, changes = {} }: DatabasesOptions = {}): Databases {
  const threads = Object.fromEntries(
    databaseNames.map((name) => {
      const sql = changes[name];
      const data: DatabaseThreadData = { name, ...(sql === undefined ? {} : { changes: sql }) };
      return [name, new WorkThread(new URL('./database-thread.ts', import.meta.url), data)];
    }),
  ) as { [database in DatabaseName]: WorkThread };

  const ask = <T>(database: DatabaseName, body: DatabaseRequest, signal?: AbortSignal): Promise<T> =>
    threads[database].request<T>(body, {
      timeoutMs: queryTimeoutMs + graceMs,
      ...(signal ? { signal } : {}),
    });

  return {
    query: (database, sql, { limit, signal }) =>
      ask(database, { kind: 'query', sql, limit, timeoutMs: queryTimeoutMs }, signal),
    tables: (database, { signal } = {}) => ask(database, { kind: 'tables' }, signal),
    close: async () => {
      await Promise.all(Object.values(threads).map((thread) => thread.close()));
    },
  };
}
