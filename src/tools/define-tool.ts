import { didYouMean } from './closest.ts';
import type { Tool, ToolParameters, ToolSpec } from './define.ts';
import { renderSchema } from './render-schema.ts';
import { shown } from './shown.ts';

/** What the wire formats of OpenAI, Anthropic and Gemini have in common. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const mark: unique symbol = Symbol.for('turnloop.tool');

/** Each key of a spec with the check of its value, which gives what is needed instead. */
const keys: { [key in keyof Required<ToolSpec>]: (value: unknown) => string | undefined } = {
  name: nameNeeds,
  description: (value) =>
    typeof value === 'string' && value.trim() !== ''
      ? undefined
      : 'text that says what the tool does, when to use it and what it returns',
  parameters: () => undefined,
  execute: (value) => (typeof value === 'function' ? undefined : 'a function (args, context) => result'),
  verify: optional(isFunction, 'a function (args, context) => { happened, result? }'),
  readOnly: flag(),
  destructive: flag(),
  idempotent: flag(),
  openWorld: flag(),
  concurrencySafe: flag(),
  resources: optional(isFunction, 'a function (args) => ({ reads?, writes? })'),
  approval: optional(
    (value) => typeof value === 'boolean' || isFunction(value),
    'true, false or a function (args) => boolean or reason',
  ),
  timeoutMs: optional(isTimeout, 'a whole number of milliseconds from 1 to 2147483647'),
  attempts: count(),
  callsPerTurn: count(),
  callsPerRun: count(),
  taskQueue: optional(
    (value) => typeof value === 'string' && value.trim() !== '',
    'the name of a task queue',
  ),
  result: resultNeeds,
};

/**
 * Defines a tool. Everything is checked here, so that a mistake shows when the program starts and not when a model calls.
 *
 * @throws TypeError naming the tool, the field, the value and the remedy.
 */
export function defineTool<P extends ToolParameters, R>(spec: ToolSpec<P, R>): Tool {
  const where = `defineTool(${typeof spec?.name === 'string' ? JSON.stringify(spec.name) : ''})`;
  if (typeof spec !== 'object' || spec === null)
    throw new TypeError(`${where}: give an object with name, description, parameters and execute.`);
  checkKeys(spec, keys, where);
  const schema = renderSchema(spec.parameters, where);
  // A tool's function takes what its own schema yields; the runtime never calls it with anything else.
  const kept = Object.freeze({ ...spec }) as unknown as ToolSpec;
  return Object.freeze({ [mark]: true, spec: kept, name: spec.name, schema });
}

/** Whether a value comes from `defineTool`, of this copy of the package or another. */
export const isTool = (value: unknown): value is Tool =>
  typeof value === 'object' && value !== null && (value as { [mark]?: unknown })[mark] === true;

function checkKeys(
  given: object,
  checks: { [key: string]: (value: unknown) => string | undefined },
  where: string,
): void {
  const names = Object.keys(checks);
  for (const key of Object.keys(given))
    if (!Object.hasOwn(checks, key))
      throw new TypeError(
        `${where}: unknown field "${key}".${didYouMean(key, names)} Known: ${names.join(', ')}.`,
      );
  for (const [key, needs] of Object.entries(checks)) {
    const value = (given as { [key: string]: unknown })[key];
    const needed = needs(value);
    if (needed !== undefined) throw new TypeError(`${where}: ${key} is ${shown(value)}. Needed: ${needed}.`);
  }
}

function nameNeeds(value: unknown): string | undefined {
  if (typeof value !== 'string' || !namePattern.test(value))
    return 'a letter or "_", then letters, digits, "_" and "-", at most 64 characters';
  if (value === 'default' || /^turnloop/i.test(value))
    return 'another name; "default" and names that begin with "turnloop" belong to the runtime';
  return undefined;
}

function resultNeeds(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const needed = 'an object { maxChars?, keepRows?, fields? }';
  if (typeof value !== 'object' || value === null) return needed;
  const { maxChars, keepRows, fields, ...rest } = value as { [key: string]: unknown };
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined)
    return `${needed}; "${unknown}" is not known.${didYouMean(unknown, ['maxChars', 'keepRows', 'fields'])}`;
  if (![maxChars, keepRows].every((each) => each === undefined || isCount(each)))
    return `${needed} with whole numbers from 1`;
  const isNames =
    Array.isArray(fields) && fields.length > 0 && fields.every((name) => typeof name === 'string');
  return fields === undefined || isNames ? undefined : `${needed} with a list of names as fields`;
}

function optional(fits: (value: unknown) => boolean, needed: string): (value: unknown) => string | undefined {
  return (value) => (value === undefined || fits(value) ? undefined : needed);
}
function flag(): (value: unknown) => string | undefined {
  return optional((value) => typeof value === 'boolean', 'true or false');
}
function count(): (value: unknown) => string | undefined {
  return optional(isCount, 'a whole number from 1');
}
function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
/** Node's timers hold no more. */
function isTimeout(value: unknown): boolean {
  return isCount(value) && (value as number) <= 2_147_483_647;
}
