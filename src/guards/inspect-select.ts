/** A name as PostgreSQL reads it: folded to lower case unless it was quoted. */
export interface SqlName {
  schema?: string;
  name: string;
}

/** What a statement does, as far as a guard has to know. */
export interface SelectInspection {
  /** Constructs that are never part of a reading query. */
  refused: { what: string; remedy: string }[];
  functions: SqlName[];
  /** Each once, in order, without the names of WITH clauses that are visible where they are used. */
  tables: SqlName[];
}

/** Names of the WITH clauses that are visible at a place. */
type Scope = ReadonlySet<string>;
type Node = { readonly [key: string]: unknown };

/**
 * Walks a syntax tree of `libpg-query`. In it a node is an object with its type's name as the only key, or stands bare in
 * a field that can hold only one type; every effect of SQL but those of functions is a node whose type ends in `Stmt`.
 * So whatever the walk doesn't know is walked through, and nothing with an effect stays unseen.
 */
export function inspectSelect(statement: unknown): SelectInspection {
  const found: SelectInspection = { refused: [], functions: [], tables: [] };
  walk(statement, new Set(), found);
  return found;
}

function walk(value: unknown, scope: Scope, found: SelectInspection): void {
  if (Array.isArray(value)) for (const each of value) walk(each, scope, found);
  else if (isNode(value))
    for (const [key, child] of Object.entries(value)) {
      if (key === 'SelectStmt' || key === 'larg' || key === 'rarg') walkSelect(child, scope, found);
      else {
        visit(key, child, scope, found);
        walk(child, scope, found);
      }
    }
}

function visit(type: string, node: unknown, scope: Scope, found: SelectInspection): void {
  if (/^[A-Z]\w*Stmt$/.test(type)) found.refused.push(statementOf(type, node));
  if (!isNode(node)) return;
  if (type === 'RangeVar') addTable(node, scope, found);
  if (type === 'FuncCall') found.functions.push(nameOf(node.funcname));
  if (type === 'ParamRef')
    found.refused.push({ what: `the parameter $${String(node.number)}`, remedy: 'Write the value itself.' });
  if (type === 'A_Expr') {
    const { schema, name } = nameOf(node.name);
    if (schema !== undefined && schema !== 'pg_catalog')
      found.refused.push({
        what: `the operator ${schema}.${name}`,
        remedy: 'Use the built-in operators.',
      });
  }
}

/** `larg` and `rarg` are the sides of a UNION, bare, or of a join; a join's have none of the fields read here. */
function walkSelect(select: unknown, scope: Scope, found: SelectInspection): void {
  if (!isNode(select)) return;
  if (select.intoClause)
    found.refused.push({
      what: 'SELECT INTO, which creates a table',
      remedy: 'Leave INTO out; the rows come back as the result.',
    });
  if (select.lockingClause)
    found.refused.push({
      what: 'locking rows (FOR UPDATE, FOR SHARE)',
      remedy: 'Leave the FOR clause out; reading needs no lock.',
    });
  const { withClause, ...rest } = select;
  walk(rest, isNode(withClause) ? walkWith(withClause, scope, found) : scope, found);
}

/** A WITH query sees the ones before it, with RECURSIVE all of them. */
function walkWith(withClause: Node, scope: Scope, found: SelectInspection): Scope {
  const ctes = (Array.isArray(withClause.ctes) ? withClause.ctes : []).map(
    (cte: Node) => cte.CommonTableExpr as Node,
  );
  const names = ctes.map((cte) => String(cte.ctename));
  const all = new Set([...scope, ...names]);
  for (const [i, cte] of ctes.entries())
    walk(cte, withClause.recursive ? all : new Set([...scope, ...names.slice(0, i)]), found);
  return all;
}

function addTable(node: Node, scope: Scope, found: SelectInspection): void {
  const name = String(node.relname);
  const schema = typeof node.schemaname === 'string' ? node.schemaname : undefined;
  if (schema === undefined && scope.has(name)) return;
  if (found.tables.some((table) => table.name === name && table.schema === schema)) return;
  found.tables.push({ ...(schema === undefined ? {} : { schema }), name });
}

/** A list of `String` nodes: the name, and the schema before it. */
function nameOf(list: unknown): SqlName {
  const parts = (Array.isArray(list) ? list : []).map((part: { String?: { sval?: string } }) =>
    String(part.String?.sval ?? ''),
  );
  const name = parts.at(-1) ?? '';
  return parts.length > 1 ? { schema: parts.slice(0, -1).join('.'), name } : { name };
}

function statementOf(type: string, node: unknown): { what: string; remedy: string } {
  const words = type
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
  const analyze = type === 'ExplainStmt' && JSON.stringify(node).includes('"analyze"');
  return {
    what: statementNames[type] ?? `${analyze ? 'EXPLAIN ANALYZE' : words}`,
    remedy:
      type === 'ExplainStmt'
        ? 'Send the SELECT itself.'
        : 'Nothing can be changed here. Write a SELECT that reads what you need.',
  };
}

/** Where the parser's word isn't SQL's. */
const statementNames: { [type: string]: string | undefined } = {
  VariableSetStmt: 'SET',
  VariableShowStmt: 'SHOW',
  TransactionStmt: 'transaction control (BEGIN, COMMIT, ROLLBACK)',
  CreateTableAsStmt: 'CREATE TABLE AS',
  CreateStmt: 'CREATE TABLE',
  CreateFunctionStmt: 'CREATE FUNCTION',
  AlterTableStmt: 'ALTER TABLE',
  GrantRoleStmt: 'GRANT',
  ViewStmt: 'CREATE VIEW',
  IndexStmt: 'CREATE INDEX',
  DropdbStmt: 'DROP DATABASE',
  CreatedbStmt: 'CREATE DATABASE',
  AlterSystemStmt: 'ALTER SYSTEM',
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
