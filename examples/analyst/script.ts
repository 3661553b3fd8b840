import type { JsonObject } from '../../src/index.ts';

/** One tool call of the turn, answered. */
export interface ToolResult {
  tool: string;
  text: string;
  /** The text as a JSON object; absent when it is an error or something else. */
  json?: JsonObject;
}

/** What the scripted model says next: calls with a thought, or the answer. */
export type ScriptReply =
  { thought: string; calls: { name: string; arguments: JsonObject }[] } | { answer: string };

export interface Script {
  /** The question as one would ask it. */
  question: string;
  /** Takes the question in small letters, without punctuation at its end; what it finds goes to `next`. */
  pattern: RegExp;
  /**
   * Decides by the results alone, which are those since the question in the order of the calls.
   * With `mustAnswer` the request offered no tools: only an answer counts.
   */
  next(results: ToolResult[], found: RegExpMatchArray, mustAnswer: boolean): ScriptReply;
}
