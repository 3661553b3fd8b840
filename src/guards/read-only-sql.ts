import { parse } from 'libpg-query';
import { didYouMean } from '../tools/closest.ts';
import { ToolError } from '../tools/errors.ts';
import { harmlessFunctions } from './harmless-functions.ts';
import { inspectSelect, type SqlName } from './inspect-select.ts';
import { readableSystemTables } from './readable-system-tables.ts';

/** A query that a guard refused. The message names what isn't allowed, the hint what to do instead. */
export class ReadOnlySqlError extends ToolError {}

export interface ReadOnlySql {
  /** The only text that may be run: the one statement, without what stood around it. */
  sql: string;
  /** What it reads, each once, in order; names of its own WITH clauses are not among them. */
  tables: { schema?: string; name: string }[];
}

export interface ReadOnlySqlOptions {
  /** Further functions that a query may call, as written after PostgreSQL's case folding: `name` or `schema.name`. */
  functions?: readonly string[];
}

/** Longer texts are no questions; and the parser runs on the calling thread, 1 ms for each 1,000 characters. */
export const sqlCharsMax = 20_000;

/**
 * Reads a text by PostgreSQL's own grammar (version 18) and lets one SELECT through (WITH, VALUES, TABLE, UNION …
 * included). Everything not known to be harmless is refused: other statements wherever they stand, SELECT INTO, row locks,
 * parameters, functions and system tables outside the lists beside this file.
 *
 * It is one wall of two. A function of the database's own may hide behind a listed name, and a query may run long: run the
 * text in a read-only transaction, with a role that may only read, with a time limit and `standard_conforming_strings` on.
 *
 * @throws ReadOnlySqlError
 */
export async function readOnlySql(text: string, options: ReadOnlySqlOptions = {}): Promise<ReadOnlySql> {
  const { sql, statement } = await theOneStatement(text);
  const found = readably(() => inspectSelect(statement));
  for (const construct of found.refused) throw notAllowed(construct.what, construct.remedy);
  for (const name of found.functions) checkFunction(name, options.functions ?? []);
  for (const table of found.tables) checkTable(table);
  return { sql, tables: found.tables };
}

async function theOneStatement(given: string): Promise<{ sql: string; statement: unknown }> {
  if (typeof given !== 'string' || given.trim() === '')
    throw new ReadOnlySqlError('The query is empty.', { hint: 'Write one SELECT statement.' });
  if (given.length > sqlCharsMax)
    throw new ReadOnlySqlError(
      `The query has ${given.length} characters; at most ${sqlCharsMax} are allowed.`,
      { hint: 'Ask for less at once, or move long lists into a join.' },
    );
  if (given.includes('\0'))
    throw new ReadOnlySqlError('The query contains a NUL character, which is not allowed.', {
      hint: 'Leave it out.',
    });
  const text = given.toWellFormed();
  const { stmts = [] } = await parsed(text);
  const [first] = stmts;
  if (!first?.stmt)
    throw new ReadOnlySqlError('The query holds no statement, only comments or semicolons.', {
      hint: 'Write one SELECT statement.',
    });
  if (stmts.length > 1)
    throw notAllowed(`${stmts.length} statements in one query`, 'Send one SELECT; ask again for the next.');
  // The parser counts bytes of UTF-8, and leaves a length out when the statement goes to the end.
  const bytes = Buffer.from(text, 'utf8');
  const start = first.stmt_location ?? 0;
  const end = first.stmt_len ? start + first.stmt_len : bytes.length;
  return { sql: bytes.subarray(start, end).toString('utf8').trim(), statement: first.stmt };
}

async function parsed(text: string) {
  try {
    return await parse(text);
  } catch (error) {
    throw unreadable(error);
  }
}

function readably<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(error);
  }
}

/** Whatever the parser could not read is refused, a crash of it too: nothing unread may run. */
function unreadable(error: unknown): ReadOnlySqlError {
  const { name, message, sqlDetails } = error as {
    name?: string;
    message?: string;
    sqlDetails?: { cursorPosition?: number };
  };
  if (name !== 'SqlError')
    return new ReadOnlySqlError(`The query could not be read (${message}); it may be nested too deeply.`, {
      hint: 'Write it flatter.',
      cause: error,
    });
  const at = sqlDetails?.cursorPosition;
  const where = at === undefined || at < 0 ? '' : ` (at character ${at + 1})`;
  return new ReadOnlySqlError(`The query is not valid PostgreSQL: ${message}${where}.`, {
    hint: 'Mend the syntax; the dialect is PostgreSQL.',
    cause: error,
  });
}

function checkFunction(name: SqlName, more: readonly string[]): void {
  const isBuiltIn = name.schema === undefined || name.schema === 'pg_catalog';
  if (isBuiltIn && harmlessFunctions.has(name.name)) return;
  if (more.includes(dotted(name))) return;
  const near = isBuiltIn ? didYouMean(name.name, [...harmlessFunctions]) : '';
  throw notAllowed(
    `the function ${dotted(name)}`,
    `Only built-in functions that compute from what they are given may be called, like count, sum, round, date_trunc.${near}`,
  );
}

/** Schemas and tables whose names begin with `pg_` belong to the system; some hold passwords, settings, other people's queries. */
function checkTable({ schema, name }: SqlName): void {
  const isSystem = schema === undefined ? name.startsWith('pg_') : schema.startsWith('pg_');
  if (!isSystem) return;
  const isCatalog = schema === undefined || schema === 'pg_catalog';
  if (isCatalog && readableSystemTables.has(name)) return;
  throw notAllowed(
    `reading ${dotted({ ...(schema === undefined ? {} : { schema }), name })}`,
    'Of the system tables only those that describe the schema may be read, like information_schema.columns.',
  );
}

const dotted = ({ schema, name }: SqlName): string => (schema === undefined ? name : `${schema}.${name}`);

const notAllowed = (what: string, hint: string): ReadOnlySqlError =>
  new ReadOnlySqlError(`Not allowed: ${what}. Only a single SELECT that reads is.`, { hint });
