import type { ChatRequest, Scripted } from './harness.ts';

export interface ScriptedCall {
  name: string;
  args?: object;
  id?: string;
}

/** A reply with these calls; ids are c1, c2 … unless given. */
export const calls = (...made: ScriptedCall[]): Scripted => ({
  toolCalls: made.map(({ name, args = {}, id }, i) => ({
    id: id ?? `c${i + 1}`,
    name,
    arguments: JSON.stringify(args),
  })),
});

/** What the model reads of the last round: the texts of the tool messages at a request's end, in order. */
export function resultsIn(request: ChatRequest | undefined): string[] {
  const messages = request?.messages ?? [];
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(from + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
}
