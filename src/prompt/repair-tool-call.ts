import type { JsonObject, OpenAIToolCall } from '../contract.ts';
import { deepWellFormed } from '../text/well-formed.ts';

/**
 * A tool call as a provider takes it back, or undefined when it has no name and so can't be answered. What is no text of
 * a JSON object becomes `{}`; a missing id becomes the empty one, which `uniqueCallIds` replaces. The same object when
 * nothing changes.
 */
export function repairToolCall(call: unknown): OpenAIToolCall | undefined {
  if (!isObject(call) || !isObject(call.function)) return undefined;
  const { name } = call.function;
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  const id = callId(call.id);
  const text = argumentsText(call.function.arguments);
  if (call.id === id && call.type === 'function' && call.function.arguments === text) {
    return call as OpenAIToolCall;
  }
  return { ...call, id, type: 'function', function: { ...call.function, name, arguments: text } };
}

/** The id, or the empty one in the place of what is none. */
export const callId = (id: unknown): string => (typeof id === 'string' && id.trim() !== '' ? id : '');

/** Escapes that may stand for a lone surrogate or for NUL. The text itself is clean by now, so only escapes can hide one. */
const suspiciousEscape = /\\u(?:d[89a-f]|0000)/i;

function argumentsText(value: unknown): string {
  try {
    if (isObject(value)) return JSON.stringify(value);
    if (typeof value !== 'string') return '{}';
    const parsed: unknown = JSON.parse(value);
    if (!isObject(parsed)) return '{}';
    if (!suspiciousEscape.test(value)) return value;
    const clean = JSON.stringify(deepWellFormed(parsed));
    // Unless something was ill-formed the text stays as it is, so that a provider's prompt cache still knows it.
    return clean === JSON.stringify(parsed) ? value : clean;
  } catch {
    // Not JSON, or nested too deep to be written again. What was wrong with it stands in the call's result.
    return '{}';
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
