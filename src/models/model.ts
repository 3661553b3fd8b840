import type { AssistantMessage, FinishReason, Message, Usage } from '../contract.ts';

/** A tool as the model is told of it: an OpenAI function tool. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments, an object schema. */
  parameters: Record<string, unknown>;
}

/** One request to a model. Messages are in wire order and legal (see `prompt/`); the client only translates. */
export interface ModelRequest {
  model: string;
  messages: Message[];
  /** Sorted by name. Empty: the request offers none. */
  tools: OfferedTool[];
  /** A finalization request: the model must answer in text. How that is said to a provider is the profile's matter. */
  textOnly: boolean;
  /** Aborts the HTTP request. */
  signal: AbortSignal;
  /** Longest time to the end of the answer, in ms. Passing it is a transient `ModelError` of type `timeout`. */
  timeoutMs: number;
  /** Called with each piece of text as it arrives; never awaited, must not throw. */
  onText?(delta: string): void;
}

/** A call as the model wrote it. Named, with an id that is unique in its reply; the arguments are not yet judged. */
export interface RawToolCall {
  id: string;
  name: string;
  /** Whatever came: text (JSON, broken JSON, blank), an object, null, nothing. */
  arguments: unknown;
  /** Opaque fields of the call beside id, type and function. */
  extra: Record<string, unknown>;
  /** Opaque fields inside `function` beside name and arguments. */
  functionExtra: Record<string, unknown>;
}

/** A model's answer, read: oddities of its provider are gone. */
export interface ModelAnswer {
  /**
   * Text, refusal and opaque fields. Thinking in the text is cut out. No `tool_calls`: those are in `calls` until the
   * planner has judged them. Well-formed Unicode throughout.
   */
  message: AssistantMessage;
  calls: RawToolCall[];
  finish: FinishReason;
  /** The provider's own word, when `finish` is `other`. */
  finishRaw?: string;
  /** Thinking that was cut out of the text, or stood in a reasoning field; for display. */
  thinking?: string;
  usage: Usage;
  /** The signal fired; the message holds the text that had arrived, `calls` is empty. */
  interrupted?: boolean;
}

/** A provider of models behind one endpoint. Implementations run the suite in `test/models/model-contract.ts`. */
export interface ModelClient {
  /** Name in the worker's configuration; stands in `origin` of each message. */
  readonly provider: string;
  /** Whether the cost of a request to this model is counted. Absent: it is not. */
  hasPrice?(model: string): boolean;
  /**
   * Makes exactly one HTTP request. Resolves with an answer (an interrupted one when the signal fires while the answer
   * streams or is awaited); rejects with a `ModelError` and nothing else.
   */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}
