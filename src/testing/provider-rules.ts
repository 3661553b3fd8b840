import type { Provider } from './provider.ts';

/** A message of a request body, its shape checked, its content not yet. */
export interface WireMessage {
  role: string;
  content?: unknown;
  tool_calls?: WireCall[] | null;
  tool_call_id?: string;
  [field: string]: unknown;
}

interface WireCall {
  id: string;
  function: { name: string; arguments: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** What an endpoint wrote into its replies and wants back. */
export interface Issued {
  /** Gemini: thought signatures. */
  signatures: Set<string>;
  /** DeepSeek: the thinking of a reply with calls, by the first call's id. */
  reasoning: Map<string, string>;
}

type Rule = (body: Record<string, unknown>, messages: WireMessage[], issued?: Issued) => string | undefined;

/** Why this provider refuses what others take; undefined when it doesn't. The messages are legal by the common rules. */
export const ownRules = (
  provider: Provider,
  body: Record<string, unknown>,
  messages: WireMessage[],
  issued: Issued | undefined,
): string | undefined => rules[provider](body, messages, issued);

const rules: Record<Provider, Rule> = {
  openai: (body, messages) =>
    (body['max_tokens'] === undefined
      ? undefined
      : 'max_tokens is not supported with this model: use max_completion_tokens') ?? unknownField(messages),

  // https://api-docs.deepseek.com/guides/thinking_mode: replies of thinking models come back with their thinking.
  deepseek: (_, messages, issued) =>
    firstOf(messages, (message) => {
      if (message.role !== 'assistant') return undefined;
      const given = message['reasoning_content'];
      if (typeof given !== 'string')
        return 'reasoning_content is missing: in thinking mode it has to be passed back';
      const [first] = message.tool_calls ?? [];
      const wanted = first && issued?.reasoning.get(first.id);
      return wanted === undefined || wanted === given
        ? undefined
        : 'reasoning_content is not what the model wrote: it has to be passed back';
    }),

  // mistral-common's request validator, which the server shares, and the server's own schema (extra fields forbidden).
  mistral: (body, messages) =>
    (['stream_options', 'max_completion_tokens'].some((field) => body[field] !== undefined)
      ? 'stream_options and max_completion_tokens are extra inputs, which are not permitted'
      : undefined) ??
    unknownField(messages) ??
    firstOf(messages, ({ role }, before) =>
      before?.role === 'tool' && role !== 'tool' && role !== 'assistant'
        ? `unexpected role '${role}' after role 'tool': an assistant message has to come first`
        : undefined,
    ) ??
    firstOf(messages, (message) => {
      const ids = [message.tool_call_id, ...(message.tool_calls ?? []).map(({ id }) => id)];
      const wrong = ids.find((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(id));
      return wrong === undefined
        ? undefined
        : `tool call id ${wrong} must be a-z, A-Z, 0-9, with a length of 9`;
    }) ??
    (messages.at(-1)?.role === 'assistant'
      ? 'the last message is of the assistant: it has to be of the user or a tool'
      : undefined),

  // https://ai.google.dev/gemini-api/docs/thought-signatures, and the order of a conversation with function calls.
  gemini: (_, messages, issued) =>
    firstOf(messages, (message, before) => {
      if (message.role !== 'assistant' || message.tool_calls == null) return undefined;
      if (message.content === null) return 'content is null: leave it out beside tool_calls';
      return before?.role === 'user' || before?.role === 'tool'
        ? undefined
        : 'a function call has to come right behind a user message or a function response';
    }) ?? wrongSignature(messages, issued),
};

function firstOf(
  messages: WireMessage[],
  problemOf: (message: WireMessage, before: WireMessage | undefined) => string | undefined,
): string | undefined {
  for (const [index, message] of messages.entries()) {
    const problem = problemOf(message, messages[index - 1]);
    if (problem !== undefined) return `messages[${index}] (${message.role}): ${problem}`;
  }
  return undefined;
}

const known = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'audio',
  'prefix',
]);
const knownOfCall = new Set(['id', 'type', 'function', 'index']);
const knownOfFunction = new Set(['name', 'arguments']);

/** Fields of other providers (`reasoning_content`, `extra_content` …) are refused by those that check their schema. */
function unknownField(messages: WireMessage[]): string | undefined {
  const strangerIn = (value: object, names: Set<string>) =>
    Object.keys(value).find((name) => !names.has(name));
  return firstOf(messages, (message) => {
    const strangers = [
      strangerIn(message, known),
      ...(message.tool_calls ?? []).flatMap((call) => [
        strangerIn(call, knownOfCall),
        strangerIn(call.function, knownOfFunction),
      ]),
    ];
    const stranger = strangers.find((name) => name !== undefined);
    return stranger === undefined ? undefined : `unknown field ${stranger}`;
  });
}

/** Google's documented values for calls that another model made. */
const foreignSignatures = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);

/** Of parallel calls only the first has a signature. It has to come back as long as the turn lasts, and always unchanged. */
function wrongSignature(messages: WireMessage[], issued: Issued | undefined): string | undefined {
  const turnStart = messages.findLastIndex(({ role }) => role === 'user');
  for (const [index, message] of messages.entries()) {
    for (const [position, call] of (message.tool_calls ?? []).entries()) {
      const where = `messages[${index}] (assistant): function call ${call.function.name}`;
      const signature = signatureOf(call);
      if (signature === undefined && position === 0 && index > turnStart)
        return `${where} is missing a thought_signature (extra_content.google.thought_signature)`;
      const isKnown =
        signature === undefined ||
        issued === undefined ||
        issued.signatures.has(signature) ||
        foreignSignatures.has(signature);
      if (!isKnown) return `${where}: thought_signature is not valid, this server never wrote it`;
    }
  }
  return undefined;
}

function signatureOf(call: WireCall): string | undefined {
  const extra = call['extra_content'] as { google?: { thought_signature?: unknown } } | null | undefined;
  const signature = extra?.google?.thought_signature;
  return typeof signature === 'string' && signature !== '' ? signature : undefined;
}
