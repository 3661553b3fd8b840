import { defineTool, ToolError, type Tool } from '../../src/index.ts';
import { z } from 'zod';
import { databaseNames, type DatabaseName } from './database-names.ts';
import type { Databases } from './databases.ts';
import { nearFirst } from './near-names.ts';

/** What the model reads: one entry a table, columns as `name type`, with the comment behind a dash. */
export interface DatabaseDescription {
  database: DatabaseName;
  tables: { table: string; kind: 'table' | 'view'; rows: number; columns: string[]; comment?: string }[];
}

export const describeDatabase = (databases: Databases): Tool =>
  defineTool({
    name: 'describe_database',
    description: [
      'Shows what a database holds: tables and views with their schema, columns with types, number of rows, comments.',
      'Use it before the first query to a database, and after an error about an unknown table or column.',
      'Output: JSON with tables, each with table (the name to use in a query), kind, rows, columns and comment.',
    ].join('\n'),
    parameters: z.object({
      database: z.enum(databaseNames).describe('Database to describe'),
      table: z.string().optional().describe('Only this table, with schema prefix; leave out for all tables'),
    }),
    readOnly: true,
    timeoutMs: 60_000,
    // A schema that is cut is no schema: half of it sends the model after tables it can't see.
    result: { maxChars: 8_000 },
    execute: async ({ database, table }, { signal }): Promise<DatabaseDescription> => {
      const all = await databases.tables(database, { signal });
      const wanted = table?.trim().toLowerCase();
      const found = wanted ? all.filter((each) => each.table.toLowerCase() === wanted) : all;
      if (found.length === 0) {
        const names = all.map((each) => each.table);
        throw new ToolError(
          `There is no table "${table}" in database "${database}". Tables there: ${nearFirst(wanted ?? '', names).join(', ')}.`,
          { hint: 'Use one of these names, with its schema, or leave table out.' },
        );
      }
      return {
        database,
        tables: found.map(({ columns, ...rest }) => ({
          ...rest,
          columns: columns.map(({ name, type, comment }) =>
            comment === undefined ? `${name} ${type}` : `${name} ${type} - ${comment}`,
          ),
        })),
      };
    },
  });
