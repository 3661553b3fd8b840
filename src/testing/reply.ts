import type { RawReply } from './raw-endpoint.ts';

/** The body of a chat-completions request. */
export interface ChatRequest {
  model: string;
  messages: {
    role: string;
    content?: unknown;
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
    [field: string]: unknown;
  }[];
  tools?: { type: string; function: { name: string; description?: string; parameters?: object } }[];
  stream?: boolean;
  [field: string]: unknown;
}

export interface ScriptedCall {
  /** Name of the tool. */
  name: string;
  /** Arguments: an object, or the text a model wrote, valid or not. Default: `{}`. */
  args?: object | string;
  /** Default: one that no other call of the script has. */
  id?: string;
}

/** An answer of the model. */
export interface ScriptedAnswer {
  text?: string;
  calls?: ScriptedCall[];
  /** Thinking, in the field `reasoning_content`. */
  reasoning?: string;
  /** `finish_reason`. Default: `tool_calls` with calls, else `stop`. */
  finish?: string;
  /** Default: an estimate. */
  usage?: { prompt_tokens: number; completion_tokens: number; [count: string]: unknown };
}

/** An error of the server. */
export interface ScriptedError {
  /** HTTP status, from 400 on. turnloop tries again after 408, 409, 429 and 5xx. */
  status: number;
  /** Default: `scripted error`. */
  message?: string;
  headers?: Record<string, string>;
}

/** Written byte by byte, for what the others can't say: cut streams, hanging connections, broken JSON. */
export interface ScriptedRaw {
  raw: RawReply;
}

/** A text is the same as `{ text }`. */
export type Reply = string | ScriptedAnswer | ScriptedError | ScriptedRaw;

/** Answers from what was asked; `index` counts requests from 0. */
export type ReplyFunction = (request: ChatRequest, index: number) => Reply | Promise<Reply>;

const fieldsOf = {
  answer: ['text', 'calls', 'reasoning', 'finish', 'usage'],
  error: ['status', 'message', 'headers'],
  raw: ['raw'],
};

/** @throws TypeError that names the place, the field and the remedy */
export function checkReply(reply: unknown, where: string): asserts reply is Reply {
  if (typeof reply === 'string') return;
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply))
    throw new TypeError(
      `${where} is ${String(reply)}: give a text, { text, calls }, { status }, { raw } or a function.`,
    );
  const fields = 'raw' in reply ? fieldsOf.raw : 'status' in reply ? fieldsOf.error : fieldsOf.answer;
  const unknown = Object.keys(reply).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw new TypeError(`${where}: unknown field "${unknown}". Known here: ${fields.join(', ')}.`);
  const { text, calls, status } = reply as Partial<ScriptedAnswer & ScriptedError>;
  if ('raw' in reply) return;
  if ('status' in reply) {
    if (typeof status !== 'number' || status < 400 || status > 599)
      throw new TypeError(`${where}: status is ${String(status)}. Needed: an HTTP status from 400 to 599.`);
    return;
  }
  if (text === undefined && calls === undefined)
    throw new TypeError(`${where} says nothing: give text, calls or both ('' is a blank answer).`);
  for (const [i, call] of (calls ?? []).entries())
    if (typeof call?.name !== 'string')
      throw new TypeError(`${where}: calls[${i}].name is ${String(call?.name)}. Needed: the name of a tool.`);
}
