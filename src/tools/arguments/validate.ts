import type { ErrorObject, ValidateFunction } from 'ajv';
import { z } from 'zod';
import type { JsonObject } from '../../contract.ts';
import { compileSchema } from '../compile-schema.ts';
import type { Tool } from '../define.ts';
import { isZodObject } from '../zod-object.ts';
import { expectation, nodeAt, problemLine, problemsMax } from './problem.ts';

/** `output`: what the tool's function gets. */
export type Validation = { problems: string[] } | { problems?: never; output: unknown };

/** Everything that is wrong, at once. Zod judges zod's schemas, ajv JSON Schemas (formats are annotations, as by default). */
export function validate(tool: Tool, args: JsonObject): Validation {
  return isZodObject(tool.spec.parameters) ? byZod(tool, tool.spec.parameters, args) : byAjv(tool, args);
}

function byZod(tool: Tool, parameters: z.ZodObject, args: JsonObject): Validation {
  let result: z.ZodSafeParseResult<unknown>;
  try {
    result = z.safeParse(parameters, args);
  } catch (error) {
    // A refinement or transform of the tool's own threw instead of reporting an issue.
    const { message } = error as { message?: unknown };
    return { problems: [`arguments: the tool's own check failed: ${String(message ?? error)}`] };
  }
  if (result.success) return { output: result.data };
  return { problems: bounded(result.error.issues.map((issue) => zodLine(issue, tool, args))) };
}

function zodLine(issue: z.core.$ZodIssue, tool: Tool, args: JsonObject): string {
  const isAboutType = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  const expected = isAboutType ? expectation(nodeAt(issue.path, tool.schema), tool.schema) : undefined;
  return problemLine(
    issue.path,
    expected === undefined ? inWords(issue.message) : `expected ${expected}`,
    args,
  );
}

/** "Too small: expected number to be >=1" → "expected number to be >=1"; a check's own words stay. */
const inWords = (message: string): string =>
  message.replace(/^.*\b(?=expected )/, '').replace(/, received .*$/, '');

const compiled = new WeakMap<object, ValidateFunction>();

function byAjv(tool: Tool, args: JsonObject): Validation {
  let check = compiled.get(tool.schema);
  if (!check) compiled.set(tool.schema, (check = compileSchema(tool.schema)));
  if (check(args)) return { output: args };
  return { problems: bounded((check.errors ?? []).map((error) => ajvLine(error, tool, args))) };
}

function ajvLine(error: ErrorObject, tool: Tool, args: JsonObject): string {
  const path: PropertyKey[] = error.instancePath.split('/').slice(1).map(toStep);
  const { missingProperty, additionalProperty } = error.params as { [param: string]: string | undefined };
  if (missingProperty !== undefined) path.push(missingProperty);
  if (additionalProperty !== undefined)
    return problemLine([...path, additionalProperty], 'expected no field of this name', args);
  const isAboutType = ['required', 'type', 'enum', 'const'].includes(error.keyword);
  const expected = isAboutType ? expectation(nodeAt(path, tool.schema), tool.schema) : undefined;
  if (expected !== undefined) return problemLine(path, `expected ${expected}`, args);
  const asked = missingProperty === undefined ? (error.message ?? error.keyword) : 'expected a value';
  return problemLine(path, asked, args);
}

/** A step of a JSON pointer; indexes become numbers. */
function toStep(step: string): string | number {
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
  return /^\d+$/.test(key) ? Number(key) : key;
}

function bounded(lines: string[]): string[] {
  const all = [...new Set(lines)];
  const shown = all.slice(0, problemsMax);
  return shown.length < all.length ? [...shown, `and ${all.length - shown.length} more`] : shown;
}
