import type { Json, JsonObject } from '../../contract.ts';
import { deepWellFormed } from '../../text/well-formed.ts';
import type { Tool } from '../define.ts';
import { stableJson } from '../stable-json.ts';
import { isZodObject } from '../zod-object.ts';
import { castArguments } from './cast.ts';
import { decode } from './read-arguments.ts';
import { isDraftObject, type DraftObject } from './draft.ts';
import { validate } from './validate.ts';

/**
 * Arguments that fit: `args` is what stands in the history, is shown to an approver and hashed; `output` is what the
 * tool's function gets (with zod, after its transforms). Or every problem, with the arguments as they came.
 */
export type FittedArguments =
  { problems?: never; args: JsonObject; output: unknown } | { problems: string[]; args: JsonObject };

/**
 * Unwraps, casts, fills in defaults and validates (turn-semantics §3, "Arguments"). Fitting `args` again gives the same,
 * so the tool's activity calls it once more on what the history holds. Only what comes from a model is unwrapped.
 */
export function fitArguments(
  tool: Tool,
  value: DraftObject,
  from: 'model' | 'history' = 'model',
): FittedArguments {
  const { parameters } = tool.spec;
  const given = from === 'model' ? unwrapped(value, tool.schema) : value;
  const cast = castArguments(given, tool.schema, {
    fillDefaults: !isZodObject(parameters),
  });
  const args = deepWellFormed(cast.args);
  const validation = validate(tool, args);
  const problems = [...cast.problems, ...(validation.problems ?? [])];
  if (validation.problems || problems.length > 0) return { problems, args };
  return { args: isStable(tool, validation.output) ? validation.output : args, output: validation.output };
}

/** Some models put everything into one field `arguments`. Undone only when the schema can't have meant that. */
function unwrapped(value: DraftObject, schema: Record<string, unknown>): DraftObject {
  const keys = Object.keys(value);
  if (keys.length !== 1 || keys[0] !== 'arguments') return value;
  const { properties, additionalProperties, patternProperties } = schema;
  const isKnown = Object.hasOwn((properties as object) ?? {}, 'arguments');
  if (isKnown || patternProperties !== undefined || (additionalProperties ?? false) !== false) return value;
  try {
    const inner = decode(value.arguments);
    return isDraftObject(inner) ? unwrapped(inner, schema) : value;
  } catch {
    // Not JSON: the validation names what is missing.
    return value;
  }
}

/**
 * Whether zod's output can stand for the arguments: it is JSON, and parsing it again changes nothing. It then holds the
 * defaults and lacks unknown fields. With a transform (text → number) the input is kept instead.
 */
function isStable(tool: Tool, output: unknown): output is JsonObject {
  if (!isJson(output)) return false;
  const again = validate(tool, output as JsonObject);
  return !again.problems && isJson(again.output) && stableJson(again.output) === stableJson(output);
}

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain && Object.values(value).every(isJson);
}
