import type { ReadOnlySql } from '../../src/guards/read-only-sql.ts';
import { ToolError } from '../../src/index.ts';
import type { DatabaseName } from './database-names.ts';
import { nearFirst } from './near-names.ts';
import type { TableDescription } from './query-result.ts';

export interface FailedQuery {
  database: DatabaseName;
  /** What the query reads. */
  used: ReadOnlySql['tables'];
  /** What there is. */
  tables: TableDescription[];
}

/** PostgreSQL's error in words that help a model to mend its query: what doesn't exist, and what does. */
export function queryError(error: unknown, { database, used, tables }: FailedQuery): ToolError {
  const { message, code, hint } = error as { message: string; code?: string; hint?: string };
  const text = `${capital(message)} in database "${database}".`;
  // A table that the reader may not see is as good as none.
  const isUnknown = (code === '42P01' && message.startsWith('relation')) || code === '42501';
  if (isUnknown) {
    const wanted = /relation "(.+)"/.exec(message)?.[1] ?? namesOf(used).join(' ');
    const names = nearFirst(
      wanted,
      tables.map(({ table }) => table),
    );
    const withoutSchema = wanted.includes('.') ? '' : ' Write the schema before the table.';
    return new ToolError(`${text} Tables there: ${names.join(', ')}.`, {
      hint: `Use one of these tables; describe_database shows their columns.${withoutSchema}`,
    });
  }
  if (code === '42703')
    return new ToolError(`${text} ${columnsOf(used, tables)}`, {
      hint: hint ?? 'Use one of these columns.',
    });
  return new ToolError(`${text}${code === undefined ? '' : ` (SQLSTATE ${code})`}`, {
    hint: hint ?? 'Mend the query; the dialect is PostgreSQL, and describe_database shows tables and types.',
  });
}

/** The query ran too long, or the engine gave up on it. */
export const stoppedQueryError = (reason: 'timeout' | 'crashed', database: DatabaseName): ToolError =>
  new ToolError(
    reason === 'timeout'
      ? `The query in database "${database}" took too long and was stopped.`
      : `The query in database "${database}" stopped the database, which is started anew.`,
    {
      hint: 'Ask for less: filter by WHERE, aggregate, avoid joins without a condition and very long texts.',
    },
  );

function columnsOf(used: ReadOnlySql['tables'], tables: TableDescription[]): string {
  const names = namesOf(used);
  return tables
    .filter(({ table }) => names.includes(table))
    .map(({ table, columns }) => `Columns of ${table}: ${columns.map(({ name }) => name).join(', ')}.`)
    .join(' ');
}

const namesOf = (used: ReadOnlySql['tables']): string[] =>
  used.map(({ schema, name }) => (schema === undefined ? name : `${schema}.${name}`));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
