import type { Issued } from './provider-rules.ts';
import type { Provider } from './provider.ts';
import { chunk, completion, eventReply, type RawReply } from './raw-endpoint.ts';
import type { ChatRequest, ScriptedAnswer, ScriptedCall } from './reply.ts';

/** A call with everything that a provider writes. */
interface WrittenCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  extra_content?: { google: { thought_signature: string } };
}

/** An answer with the ids and the fields of its provider, as it goes out. */
export interface WrittenAnswer extends Omit<ScriptedAnswer, 'calls'> {
  calls: WrittenCall[];
}

/**
 * Completes an answer as its provider would, and notes in `issued` what has to come back: a thought signature on the first
 * of Gemini's calls, DeepSeek's thinking.
 *
 * @param nextId Gives ids, each once
 */
export function writeAnswer(
  answer: ScriptedAnswer,
  as: Provider | undefined,
  issued: Issued,
  nextId: () => string,
): WrittenAnswer {
  const calls = (answer.calls ?? []).map((call) => written(call, nextId));
  const [first] = calls;
  if (as === 'gemini' && first) {
    const signature = `signature-of-${first.id}-${issued.signatures.size + 1}`;
    issued.signatures.add(signature);
    first.extra_content = { google: { thought_signature: signature } };
  }
  if (as !== 'deepseek') return { ...answer, calls };
  const reasoning = answer.reasoning ?? 'Let me think.';
  if (first) issued.reasoning.set(first.id, reasoning);
  return { ...answer, calls, reasoning };
}

function written({ id, name, args = {} }: ScriptedCall, nextId: () => string): WrittenCall {
  return {
    id: id ?? nextId(),
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

/** As aimock's fixtures want it. */
export function toFixture({ text, calls, reasoning, finish, usage }: WrittenAnswer): Record<string, unknown> {
  return {
    ...(text === undefined && calls.length > 0 ? {} : { content: text ?? '' }),
    ...(calls.length > 0 && {
      toolCalls: calls.map((call) => ({ id: call.id, ...call.function })),
    }),
    ...(reasoning !== undefined && { reasoning }),
    ...(finish !== undefined && { finishReason: finish }),
    ...(usage !== undefined && { usage }),
  };
}

/** Fields beside the format's own, which fixtures can't hold, are written here. */
export function toRawReply(
  { text, calls, reasoning, finish, usage }: WrittenAnswer,
  request: ChatRequest,
): RawReply {
  const message = {
    content: text ?? null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    tool_calls: calls,
  };
  const counts = usage ?? { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const reason = finish ?? 'tool_calls';
  if (request.stream !== true) return { body: completion(message, reason, counts) };
  const indexed = calls.map((call, index) => ({ index, ...call }));
  return eventReply([
    chunk({ role: 'assistant', ...message, tool_calls: indexed }),
    chunk({}, reason),
    { object: 'chat.completion.chunk', choices: [], usage: counts },
  ]);
}
