import type { PGlite } from '@electric-sql/pglite';
import type { TableDescription } from './query-result.ts';

interface ColumnRow {
  schema: string;
  name: string;
  kind: string;
  table_comment: string | null;
  column: string;
  type: string;
  column_comment: string | null;
}

/** Every table and view that the current role may read, with columns, exact row counts and comments. */
export async function describeTables(db: PGlite): Promise<TableDescription[]> {
  const { rows } = await db.query<ColumnRow>(`
    SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind,
           obj_description(c.oid, 'pg_class') AS table_comment,
           a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
           col_description(c.oid, a.attnum) AS column_comment
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
      AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
    ORDER BY n.nspname, c.relname, a.attnum`);
  const tables = new Map<string, TableDescription>();
  for (const row of rows) {
    const key = `${row.schema}.${row.name}`;
    let table = tables.get(key);
    if (!table) {
      table = {
        table: key,
        kind: row.kind === 'v' || row.kind === 'm' ? 'view' : 'table',
        rows: await countRows(db, row),
        ...(row.table_comment === null ? {} : { comment: row.table_comment }),
        columns: [],
      };
      tables.set(key, table);
    }
    table.columns.push({
      name: row.column,
      type: row.type,
      ...(row.column_comment === null ? {} : { comment: row.column_comment }),
    });
  }
  return [...tables.values()];
}

async function countRows(db: PGlite, { schema, name }: ColumnRow): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${quoted(schema)}.${quoted(name)}`,
  );
  return rows[0]?.count ?? 0;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
