import type { Message } from '../contract.ts';
import { findIllegal, findIllFormed } from './legal-transcript.ts';
import type { Provider } from './provider.ts';
import { ownRules, type Issued, type WireMessage } from './provider-rules.ts';

export interface RefusalOptions {
  /** Absent: what every provider refuses, and more than one system message. */
  as?: Provider;
  /** Fields that this endpoint wrote into its replies and wants back. */
  issued?: Issued;
}

/**
 * Why a strict provider would answer 400 to the body of a chat-completions request, as a sentence that names the place;
 * undefined when it would take it. The common rules are the union of what providers refuse: who passes them passes anywhere.
 */
export function findRefusal(body: unknown, { as, issued }: RefusalOptions = {}): string | undefined {
  if (!isRecord(body)) return 'the body is no JSON object';
  if (typeof body['model'] !== 'string' || body['model'].trim() === '')
    return 'model is missing: it has to be the name of a model';
  const illFormed = findIllFormed(body['tools']);
  if (illFormed !== undefined) return `tools: ${illFormed}`;
  const wrongShape = findWrongShape(body['messages']);
  if (wrongShape !== undefined) return wrongShape;
  const messages = body['messages'] as WireMessage[];
  return (
    findIllegal(messages.map(asTranscript), { systemMessages: as === 'openai' ? 'many' : 'one' }) ??
    (messages.some(({ role }) => role !== 'system')
      ? undefined
      : 'messages holds nothing but a system message') ??
    (as === undefined ? undefined : ownRules(as, body, messages, issued))
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What has to hold before messages can be read at all. */
function findWrongShape(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0)
    return 'messages is not a list with at least one message';
  for (const [index, message] of (messages as unknown[]).entries()) {
    const where = `messages[${index}]`;
    if (!isRecord(message) || typeof message['role'] !== 'string') return `${where}: no object with a role`;
    const calls = message['tool_calls'];
    if (calls === undefined || calls === null) continue;
    if (message['role'] !== 'assistant')
      return `${where} (${message['role']}): tool_calls belong to an assistant message`;
    if (!Array.isArray(calls)) return `${where} (assistant): tool_calls is no list`;
    if (!calls.every((call) => isRecord(call) && isRecord(call['function'])))
      return `${where} (assistant): a tool call without a function`;
  }
  return undefined;
}

/** Beside calls, content may be absent on the wire as well as null; `developer` is OpenAI's newer word for `system`. */
function asTranscript(message: WireMessage): Message {
  const { role, content } = message;
  const read = { ...message, role: role === 'developer' ? 'system' : role };
  const isToolOnly = message.tool_calls != null && content === undefined;
  if (message.tool_calls === null) delete read.tool_calls;
  return (isToolOnly ? { ...read, content: null } : read) as unknown as Message;
}
