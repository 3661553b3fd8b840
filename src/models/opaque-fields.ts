import { isObject } from './raw-completion.ts';

/** Fields of an assistant message that are ours or the format's own. `annotations`, `audio`, `index` are of no use to a later request. */
const ofMessage = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'tool_calls',
  'function_call',
  'origin',
  'placeholder',
  'annotations',
  'audio',
  'index',
]);
/** Fields of a call that are the format's own; `index` belongs to streams. */
const ofCall = new Set(['id', 'type', 'function', 'index']);
const ofFunction = new Set(['name', 'arguments']);

type Fields = Record<string, unknown>;

/** Fields of an assistant message that are its provider's own (`reasoning_content`, `reasoning_details` …). */
export const messageOpaque = (message: Fields): Fields => without(message, ofMessage);
/** Fields of a call that are its provider's own (`extra_content` …). */
export const callOpaque = (call: Fields): Fields => without(call, ofCall);
/** The same inside a call's `function`. */
export const functionOpaque = (fn: Fields): Fields => without(fn, ofFunction);

/** Null and empty lists say nothing, and some providers refuse their own. An empty text does count: DeepSeek wants it back. */
function without(fields: Fields, known: Set<string>): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) =>
        !known.has(key) &&
        key !== '__proto__' &&
        value !== null &&
        value !== undefined &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Texts that name something; in a stream they are repeated, not continued. */
const labels = new Set([
  'id',
  'type',
  'format',
  'role',
  'name',
  'object',
  'model',
  'provider',
  'signature',
  'status',
]);

/**
 * Joins the opaque fields of a stream's piece to those before: texts are continued (labels and equal objects replaced),
 * objects merged, lists appended, and list items of one `index` and `type` (OpenRouter's reasoning_details) continued.
 */
export function mergeOpaque(before: Fields, piece: Fields): Fields {
  const merged: Fields = { ...before };
  for (const [key, value] of Object.entries(piece)) {
    if (key === '__proto__' || value === null || value === undefined) continue;
    merged[key] = joined(key, Object.hasOwn(before, key) ? before[key] : undefined, value);
  }
  return merged;
}

function joined(key: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return value;
  if (typeof before === 'string' && typeof value === 'string' && !labels.has(key)) return before + value;
  if (Array.isArray(before) && Array.isArray(value)) return value.reduce<unknown[]>(withItem, before);
  if (isObject(before) && isObject(value)) {
    // An object that is repeated whole is the same one, not a continuation.
    return JSON.stringify(before) === JSON.stringify(value) ? before : mergeOpaque(before, value);
  }
  return value;
}

function withItem(items: unknown[], item: unknown): unknown[] {
  const at =
    isObject(item) && typeof item['index'] === 'number'
      ? items.findIndex((other) => continues(other, item))
      : -1;
  if (at < 0) return [...items, item];
  return items.with(at, mergeOpaque(items[at] as Fields, item as Fields));
}

const continues = (other: unknown, item: Fields): boolean =>
  isObject(other) && other['index'] === item['index'] && other['type'] === item['type'];
