import { randomUUID } from 'node:crypto';
import type { RawToolCall } from './model.ts';
import { callOpaque, functionOpaque } from './opaque-fields.ts';
import { isObject } from './raw-completion.ts';

/** An id no other call has, in this reply or another turn; 29 characters of the kind every provider takes. */
export const newCallId = (): string => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/**
 * The calls of a reply. Nameless ones (missing, blank, not text) are dropped. A missing id is made and a repeated one
 * replaced, so that each result finds its call; ids that are there stay as they are, since their provider may know them.
 */
export function readToolCalls(
  message: Record<string, unknown>,
  makeId: () => string = newCallId,
): RawToolCall[] {
  const ids = new Set<string>();
  return listedCalls(message).flatMap((entry): RawToolCall[] => {
    if (!isObject(entry)) return [];
    // Some servers write name and arguments beside the id instead of inside `function`.
    const nested = isObject(entry['function']);
    const fn = (nested ? entry['function'] : entry) as Record<string, unknown>;
    const name = fn['name'];
    if (typeof name !== 'string' || name.trim() === '') return [];
    const extra = callOpaque(entry);
    if (!nested) {
      delete extra['name'];
      delete extra['arguments'];
    }
    let id = writtenId(entry['id']);
    while (id === undefined || ids.has(id)) id = makeId();
    ids.add(id);
    return [{ id, name, arguments: fn['arguments'], extra, functionExtra: nested ? functionOpaque(fn) : {} }];
  });
}

function listedCalls(message: Record<string, unknown>): unknown[] {
  const calls = message['tool_calls'];
  if (Array.isArray(calls) && calls.length > 0) return calls;
  if (isObject(calls)) return [calls];
  // The format before tool_calls: one call, without an id.
  return isObject(message['function_call']) ? [{ function: message['function_call'] }] : [];
}

/** An id as its provider wrote it; numbers are taken as their text. */
export function writtenId(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}
