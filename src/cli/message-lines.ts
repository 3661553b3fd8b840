import type { Content, Message } from '../contract.ts';
import type { Paint } from './paint.ts';
import { plain } from './progress.ts';

/** A message of a transcript as lines: its role, its text, its calls; a blank line behind. Pure. */
export function messageLines(message: Message, paint: Paint): string[] {
  const who = message.role === 'tool' ? `tool (answer to ${message.tool_call_id})` : message.role;
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    paint('bold', plain(who)),
    ...textOf(message.content).flatMap((text) => plain(text).split('\n')),
    ...calls.map((call) =>
      paint('magenta', plain(`→ ${call.function.name} ${call.function.arguments} (${call.id})`)),
    ),
    '',
  ];
}

function textOf(content: Content | null): string[] {
  if (content === null || content === '') return [];
  if (typeof content === 'string') return [content];
  return content.map((part) => (part.type === 'text' ? String(part.text) : `[${part.type}]`));
}
