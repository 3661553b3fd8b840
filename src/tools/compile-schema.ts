import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const options = {
  allErrors: true,
  // Schemas come from everywhere: unknown keywords and formats are annotations.
  strict: false,
  validateFormats: false,
  logger: false,
  ownProperties: true,
} as const;

/**
 * A validator of a JSON Schema. Drafts differ in little that matters here, so the newest is tried first, then draft 7
 * (where a list of `items` is still a tuple).
 *
 * @throws Error when it is a valid schema by neither.
 */
export function compileSchema(schema: Record<string, unknown>): ValidateFunction {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  try {
    return new Ajv2020(options).compile(rest);
  } catch (error) {
    try {
      return new Ajv(options).compile(rest);
    } catch {
      // The newest draft's reason is the one to show.
      throw error;
    }
  }
}
