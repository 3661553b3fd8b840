import type { AssistantMessage, Message, OpenAIToolCall, ToolMessage } from '../../src/contract.ts';

export const call = (id: string, text = '{}', name = 'search'): OpenAIToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

/** An assistant message that declares calls of these ids. */
export const calling = (...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
});

export const result = (id: string, content = `result of ${id}`): ToolMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
});

export const user = (content: string): Message => ({ role: 'user', content });

/** What comes from outside has its type by promise only. */
export const damaged = (...messages: unknown[]): Message[] => messages as Message[];
