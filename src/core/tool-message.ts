import type { StoredPart, ToolMessage } from '../contract.ts';

/** The one rendering of a tool's outcome as a message; the model activity and the workflow both use it. */
export function toolMessage(id: string, text: string, note?: string, files?: StoredPart[]): ToolMessage {
  const whole = note === undefined ? text : `${text}\n\n${note}`;
  return {
    role: 'tool',
    tool_call_id: id,
    content: files?.length ? [{ type: 'text', text: whole }, ...files] : whole,
  };
}
