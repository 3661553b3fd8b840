import type { Json, OpenAIToolCall } from '../contract.ts';
import type { RawToolCall } from '../models/model.ts';

/** The call as it enters the transcript: valid arguments, the provider's opaque fields as they came. */
export function toWireCall({ id, name, extra, functionExtra }: RawToolCall, text: string): OpenAIToolCall {
  // Entries, so that a field named `__proto__` is data; ours come last, so that none of theirs replaces them.
  const called = [...Object.entries(functionExtra), ['name', name], ['arguments', text]];
  return Object.fromEntries([
    ...Object.entries(extra),
    ['id', id],
    ['type', 'function'],
    ['function', Object.fromEntries(called as [string, Json][])],
  ]) as OpenAIToolCall;
}
