import type { AssistantMessage, Message } from '../contract.ts';

export interface LegalOptions {
  /**
   * `request` (default): what a strict provider takes. `transcript`: what a run may keep between two steps, where
   * besides system messages and user messages stand where they came in, placeholders are allowed, and the last round may
   * still wait for its last results.
   */
  as?: 'request' | 'transcript';
  /** Of a request: how many system messages may stand at its front. Default: one. */
  systemMessages?: 'one' | 'many';
}

/**
 * The first thing in a message list that a strict provider would refuse, as a sentence with its place; undefined when
 * there is none. Written apart from `prompt/`, so that it can judge it.
 */
export function findIllegal(messages: readonly Message[], options: LegalOptions = {}): string | undefined {
  const lenient = options.as === 'transcript';
  let waiting: string[] = [];
  const used = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    const problem =
      findIllFormed(message) ??
      outOfRound(message, waiting) ??
      wrongNeighbour(message, before, lenient, options.systemMessages ?? 'one') ??
      wrongInItself(message, lenient) ??
      (lenient ? undefined : usedBefore(message, used));
    if (problem !== undefined) return `messages[${index}] (${message.role}): ${problem}`;
    for (const id of idsOf(message)) used.add(id);
    waiting = message.role === 'tool' ? waiting.slice(1) : idsOf(message);
  }
  if (waiting.length > 0 && !lenient)
    return `the list ends, but calls wait for results: ${waiting.join(', ')}`;
  return undefined;
}

const idsOf = (message: Message): string[] =>
  message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [];

/** Anthropic's and MiniMax's servers want ids to be unique in the whole conversation, not only in a message. */
function usedBefore(message: Message, used: Set<string>): string | undefined {
  const again = idsOf(message).find((id) => used.has(id));
  return again === undefined ? undefined : `call id ${again} was used by an earlier message`;
}

/** Results come right behind their calls, one each, in call order, and nowhere else. */
function outOfRound(message: Message, waiting: string[]): string | undefined {
  const [next] = waiting;
  if (message.role !== 'tool') {
    return next === undefined ? undefined : `calls still wait for results: ${waiting.join(', ')}`;
  }
  if (next === undefined) return `no call waits for this result, its id is ${message.tool_call_id}`;
  return next === message.tool_call_id ? undefined : `result of ${message.tool_call_id}, but ${next} is next`;
}

function wrongNeighbour(
  message: Message,
  before: Message | undefined,
  lenient: boolean,
  systemMessages: 'one' | 'many',
): string | undefined {
  if (lenient || before === undefined) return undefined;
  if (message.role === 'user' && before.role === 'user') return 'two user messages in a row';
  if (message.role !== 'system') return undefined;
  if (systemMessages === 'one') return 'a system message that is not the first message';
  return before.role === 'system' ? undefined : 'a system message behind other messages';
}

function wrongInItself(message: Message, lenient: boolean): string | undefined {
  switch (message.role) {
    case 'system':
    case 'user':
    case 'tool':
      return wrongContent(message.content);
    case 'assistant':
      return wrongAssistant(message, lenient);
    default:
      return 'unknown role';
  }
}

function wrongAssistant(message: AssistantMessage, lenient: boolean): string | undefined {
  if (message.placeholder === true) return lenient ? undefined : 'a placeholder';
  const calls = message.tool_calls;
  if (calls === undefined) return wrongContent(message.content);
  if (calls.length === 0) return 'tool_calls is an empty list';
  const ids = calls.map((call) => call.id);
  if (new Set(ids).size < ids.length) return `call ids repeat: ${ids.join(', ')}`;
  for (const call of calls) {
    if (typeof call.id !== 'string' || call.id.trim() === '') return 'a call without an id';
    if (call.type !== 'function') return `call ${call.id}: type is not function`;
    if (typeof call.function.name !== 'string' || call.function.name.trim() === '') {
      return `call ${call.id} has no name`;
    }
    const problem = wrongArguments(call.function.arguments);
    if (problem !== undefined) return `call ${call.id}: ${problem}`;
  }
  return message.content === null || (message.content as unknown) === ''
    ? undefined
    : wrongContent(message.content);
}

function wrongArguments(text: unknown): string | undefined {
  let value: unknown;
  try {
    value = typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    // The value stays undefined, which is no object: the next line says so.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'arguments is not the text of a JSON object';
  }
  return findIllFormed(value);
}

function wrongContent(content: unknown): string | undefined {
  if (typeof content === 'string') return content.trim() === '' ? 'content is blank' : undefined;
  if (!Array.isArray(content)) return 'content is neither text nor a list';
  if (content.length === 0) return 'content is an empty list';
  for (const part of content) {
    if (typeof part !== 'object' || part === null || typeof part.type !== 'string')
      return 'a part without a type';
    if (part.type === 'text' && (typeof part.text !== 'string' || part.text.trim() === ''))
      return 'a blank text part';
  }
  return undefined;
}

/** Providers answer 400 to lone surrogates and some databases behind them to NUL. */
export function findIllFormed(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0') ? undefined : 'a text with a lone surrogate or NUL';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const problem = findIllFormed(name) ?? findIllFormed(inner);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
