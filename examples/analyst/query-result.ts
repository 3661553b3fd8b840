/** A value of a row. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Rows of a query, as they come from the thread. */
export interface QueryResult {
  /** Names in the query's order; a name that came twice carries a number: `count`, `count_2`. */
  columns: string[];
  rows: { [column: string]: JsonValue }[];
  /** Whether there are rows behind the last one here. */
  hasMore: boolean;
}

/** A table, view or materialized view that the analyst may read. */
export interface TableDescription {
  /** With its schema: `world.countries`. */
  table: string;
  kind: 'table' | 'view';
  rows: number;
  comment?: string;
  /** Type by column, in the table's order; a comment behind a dash. */
  columns: { name: string; type: string; comment?: string }[];
}

/** What the thread of a database is asked. */
export type DatabaseRequest =
  { kind: 'query'; sql: string; limit: number; timeoutMs: number } | { kind: 'tables' };
