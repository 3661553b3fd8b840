import type { ToolMessage } from '../contract.ts';

/** The one rendering of a tool's outcome as a message; the model activity and the workflow both use it. */
export const toolMessage = (id: string, text: string, note?: string): ToolMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: note === undefined ? text : `${text}\n\n${note}`,
});
