/** One choice of a chat completion as its provider sent it, whole or assembled from a stream. Nothing in it is trusted. */
export interface RawCompletion {
  /** `content`, `tool_calls`, `refusal` and fields of the provider's own. */
  message: Record<string, unknown>;
  finish: unknown;
  usage: unknown;
}

/** True for a JSON object; lists are none. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
