import { z } from 'zod';
import { compileSchema } from './compile-schema.ts';
import type { ToolParameters } from './define.ts';
import { schemaProblem } from './schema-problem.ts';
import { isZod3, isZodObject, zodType } from './zod-object.ts';

/**
 * The JSON Schema of a tool's arguments as it goes to a model: zod's input side (what a model may send, with defaults), or
 * the given JSON Schema, copied. Without `$schema`, which some providers refuse.
 *
 * @throws TypeError naming the field, the value and the remedy, when it isn't a schema that every provider takes.
 */
export function renderSchema(parameters: ToolParameters, where: string): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = isZodObject(parameters)
    ? fromZod(parameters, where)
    : fromJson(parameters, where);
  const problem = schemaProblem(schema);
  if (problem) throw new TypeError(`${where}: parameters${problem}`);
  try {
    compileSchema(schema);
  } catch (error) {
    throw new TypeError(
      `${where}: parameters is not a valid JSON Schema (${(error as Error).message}). Mend it, or use a zod object.`,
      { cause: error },
    );
  }
  return schema;
}

function fromZod(parameters: z.ZodObject, where: string): Record<string, unknown> {
  try {
    return JSON.parse(
      JSON.stringify(
        z.toJSONSchema(parameters, { io: 'input', override: ({ jsonSchema }) => trim(jsonSchema) }),
      ),
    ) as Record<string, unknown>;
  } catch (error) {
    throw new TypeError(
      `${where}: parameters can't be written as JSON Schema (${(error as Error).message}). ` +
        'Use types that JSON has: text for a date or a big integer, then transform it.',
      { cause: error },
    );
  }
}

/** Words of zod's that tell a model nothing, cost tokens, and are refused by some providers. */
function trim(node: Record<string, unknown>): void {
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (JSON.stringify(node.propertyNames) === '{"type":"string"}') delete node.propertyNames;
}

function fromJson(parameters: unknown, where: string): Record<string, unknown> {
  if (isZod3(parameters))
    throw new TypeError(
      `${where}: parameters is a schema of zod 3. Build it with zod 4 (import from "zod").`,
    );
  const kind = zodType(parameters);
  if (kind !== undefined)
    throw new TypeError(`${where}: parameters is a zod schema of type ${kind}. Wrap it: z.object({ … }).`);
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    throw new TypeError(
      `${where}: parameters is ${JSON.stringify(parameters) ?? 'missing'}. Give a zod object or a JSON Schema ` +
        'of type object; for a tool without parameters z.object({}).',
    );
  try {
    return JSON.parse(JSON.stringify(parameters)) as Record<string, unknown>;
  } catch (error) {
    throw new TypeError(
      `${where}: parameters is no JSON (${(error as Error).message}). Write it without cycles; use $defs and $ref.`,
      { cause: error },
    );
  }
}
