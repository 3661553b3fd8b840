/**
 * turnloop: definitions of agents and tools. Running them is `turnloop/worker`'s matter, talking to them `turnloop/client`'s.
 */
export { defineAgent, type Agent, type AgentSpec, type InstructionsContext } from './tools/define-agent.ts';
export { defineTool } from './tools/define-tool.ts';
export type {
  Tool,
  ToolArguments,
  ToolContext,
  ToolLog,
  ToolParameters,
  ToolSpec,
  Verified,
} from './tools/define.ts';
export { RetryableToolError, ToolError, type ToolErrorOptions } from './tools/errors.ts';
export { parseOpenAIToolCall, toOpenAIToolCall } from './tools/tool-call.ts';
export type { Json, JsonObject, Limits, Message, OpenAIToolCall, ToolCallRequest } from './contract.ts';
