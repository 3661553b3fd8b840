import type { Json } from '../contract.ts';
import { plainText } from './clean-text.ts';

/** A tool's result as JSON, and the bytes that were in it. */
export interface ResultJson {
  json: Json | undefined;
  bytes: Uint8Array[];
}

/** Deeper levels are cut off: JSON readers have their bounds too. */
const depthMax = 100;

/**
 * Any value as JSON with plain texts, as `JSON.stringify` would have it, but without its crashes and losses: big integers become text,
 * maps objects or lists of pairs, sets lists, cycles and unreadable fields a mark, and bytes what `place` writes for the n-th of
 * them (from 1).
 */
export function resultJson(value: unknown, place: (bytes: Uint8Array, n: number) => string): ResultJson {
  const bytes: Uint8Array[] = [];
  const open = new Set<object>();

  const read = (value: unknown, depth: number): Json | undefined => {
    if (typeof value === 'string') return plainText(value);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object') return undefined;
    const found = bytesOf(value);
    if (found) return place(found, bytes.push(found));
    if (open.has(value)) return '[circular]';
    if (depth > depthMax) return '[nested too deep]';
    open.add(value);
    try {
      return readObject(value, depth + 1);
    } catch (error) {
      // A getter or toJSON of the tool's own threw. The rest of the result is still worth reading.
      return `[unreadable: ${String((error as { message?: unknown } | null)?.message ?? error)}]`;
    } finally {
      open.delete(value);
    }
  };

  const readObject = (value: object, depth: number): Json | undefined => {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return read(toJSON.call(value, ''), depth);
    const list = listOf(value);
    if (list) return list.map((item) => read(item, depth) ?? null);
    const entries = value instanceof Map ? [...value] : fieldsOf(value);
    if (!entries.every(([key]) => typeof key === 'string'))
      return entries.map((pair) => pair.map((each) => read(each, depth) ?? null));
    const fields = entries.map(([key, item]) => [plainText(key as string), read(item, depth)] as const);
    return Object.fromEntries(fields.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  };

  return { json: read(value, 0), bytes };
}

/** Buffers and plain byte arrays; arrays of other numbers are lists. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]')
    return new Uint8Array(value as ArrayBuffer);
  if (tag !== '[object Uint8Array]' && tag !== '[object DataView]') return undefined;
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function listOf(value: object): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Set) return [...value];
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : undefined;
}

function fieldsOf(value: object): [unknown, unknown][] {
  if (typeof (value as Error).message === 'string' && 'stack' in value)
    return [['name', (value as Error).name], ['message', (value as Error).message], ...Object.entries(value)];
  if (Object.prototype.toString.call(value) === '[object RegExp]') return [['pattern', String(value)]];
  return Object.entries(value);
}
