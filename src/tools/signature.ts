import { expectation } from './arguments/problem.ts';
import { listOf, resolved } from './arguments/schema-node.ts';
import { shortened } from './code-points.ts';
import type { Tool } from './define.ts';

/** Code points of the line. */
const charsMax = 800;

/** A tool's parameters on one line, for the hint of a refusal: `search takes { query: string, limit?: integer }.` */
export function signature({ name, schema }: Tool): string {
  const required = listOf(schema.required);
  const fields = Object.entries((schema.properties as object) ?? {}).map(
    ([field, node]) =>
      `${field}${required.includes(field) ? '' : '?'}: ${expectation(resolved(node, schema), schema) ?? 'any'}`,
  );
  return fields.length === 0
    ? `${name} takes {}.`
    : `${shortened(`${name} takes { ${fields.join(', ')}`, charsMax)} }.`;
}
