import type { ChatCompletionRequest, ChatMessage } from '@copilotkit/aimock';
import type { JsonObject } from '../../src/index.ts';
import type { ToolResult } from './script.ts';

export interface AskedQuestion {
  /** As the user wrote it. */
  text: string;
  /** Results of the calls made since. */
  results: ToolResult[];
  /** The request offers no tools. */
  mustAnswer: boolean;
}

/**
 * The last question of a conversation. A request without tools ends in a note of the runtime, which asks for the answer to
 * the question before it.
 */
export function readRequest({ messages, tools = [] }: ChatCompletionRequest): AskedQuestion {
  const mustAnswer = tools.length === 0;
  const users = messages.flatMap((message, i) => (message.role === 'user' ? [i] : []));
  const at = (mustAnswer && users.length > 1 ? users.at(-2) : users.at(-1)) ?? -1;
  const since = messages.slice(at + 1);
  return { text: at < 0 ? '' : textOf(messages[at]!), results: resultsOf(since), mustAnswer };
}

function resultsOf(messages: ChatMessage[]): ToolResult[] {
  const answers = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.tool_call_id ?? '', textOf(message)] as const] : [],
    ),
  );
  return messages
    .flatMap(({ tool_calls: calls }) => calls ?? [])
    .flatMap(({ id, function: { name } }) => {
      const text = answers.get(id);
      if (text === undefined) return [];
      const json = jsonOf(text);
      return [{ tool: name, text, ...(json ? { json } : {}) }];
    });
}

/** A result is JSON on one line; the runtime's remark about a repeated call may follow on lines of its own. */
function jsonOf(text: string): JsonObject | undefined {
  const [line = ''] = text.split('\n', 1);
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return undefined; // a preview that was cut, or an error that begins with a brace: read as text
  }
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}
