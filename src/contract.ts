/**
 * Every type that can stand in a workflow history, and nothing else. A history is read for years: by replay, by the
 * Temporal UI, by services in other languages. So this file imports nothing, holds types only, and changes by one rule:
 * **add optional fields, never change or reuse a name.** A field that is absent means its documented default.
 *
 * Units stand last in a name (`timeoutMs`, `bytes`). Times are milliseconds since the epoch.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object, the shape of every tool call's arguments. */
export type JsonObject = { [key: string]: Json };

// ---------------------------------------------------------------- messages

/** One part of a message whose content is a list: text, or what a provider takes beside it (`image_url`, `file` …). */
export type ContentPart = { type: 'text'; text: string } | ({ type: string } & { [key: string]: Json });

/**
 * An image or a file whose bytes are in the store. It stands in messages wherever a part may; the bytes are put in its place
 * in the request to the model only.
 */
export type StoredPart = { type: 'stored'; key: string; mediaType: string; bytes: number; name?: string };

/** Content of a user or system message: text, or a list of parts. */
export type Content = string | ContentPart[];

/**
 * A system message. The agent's own instructions carry the name `instructions`; when they change in a later turn, the
 * newest ones replace the earlier ones at the front of a request. Others come from the run's input.
 */
export interface SystemMessage {
  role: 'system';
  content: Content;
  name?: string;
}

export interface UserMessage {
  role: 'user';
  content: Content;
  name?: string;
}

/** A tool call as it goes over the wire of an OpenAI-compatible provider. `arguments` is the text of a JSON object. */
export interface OpenAIToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string } & { [field: string]: Json };
  /** Opaque provider fields (Gemini's `extra_content`, …) are kept as they came and go back to that provider. */
  [field: string]: Json;
}

/**
 * A model's reply. Beside the fields of OpenAI's format it may carry fields of its provider's own
 * (`reasoning_content`, `reasoning_details` …); those go back to the provider and model named by `origin` only.
 */
export interface AssistantMessage {
  role: 'assistant';
  content: Content | null;
  tool_calls?: OpenAIToolCall[];
  refusal?: string;
  /** Which provider and model wrote this. Absent for messages that came with the run's input, and for placeholders. */
  origin?: Origin;
  /** True for a message that the runtime put in the place of a reply that never came; it is not sent to a model. */
  placeholder?: boolean;
  [field: string]: unknown;
}

/** The answer to one tool call. */
export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: Content;
}

/** A chat-completions message. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Provider (its name in the worker's model configuration) and model that wrote a message. */
export interface Origin {
  provider: string;
  model: string;
}

/** A tool call with its arguments as an object: turnloop's own shape, see `toOpenAIToolCall`. */
export interface ToolCallRequest {
  id: string;
  name: string;
  arguments: JsonObject;
  /** Opaque fields of the call (Gemini's thought signature lives here). */
  extra_content?: Json;
  /** The field of this name beside `function`, as it came. */
  provider_specific_fields?: JsonObject;
  /** The field `provider_specific_fields` inside `function`, as it came. */
  function_provider_specific_fields?: JsonObject;
  /** All other opaque fields beside `function`, by name. */
  extra?: JsonObject;
  /** All other opaque fields inside `function`, by name. */
  function_extra?: JsonObject;
}

// ---------------------------------------------------------------- delta context

/** Names a context in the store: the digest of the context before it and of what was added. Safe to lose. */
export interface ContextRef {
  /** Content digest, base64url. Empty: nobody has the entries before `entries` any more. */
  id: string;
  /** How many transcript entries it covers. */
  entries: number;
  /** Characters of the next entry's JSON text that it holds as well: that entry is too large for one payload. */
  open?: number;
  /** Made of whole messages only, because the store had lost what was referred to: what follows goes whole too. */
  resent?: true;
}

/**
 * Stands for a tool message whose text is already in the history as the result of the tool's activity.
 * `ref` is the call's key: turn/iteration/index, each counted from 1, 1 and 0.
 */
export interface ResultRef {
  ref: string;
  /** The `tool_call_id` of the message. */
  id: string;
  /** The attempt whose outcome this is; absent: the first. */
  attempt?: number;
  /** A remark of the workflow that follows the text (a warning about a repeated call). */
  note?: string;
}

/** A piece of the JSON text of a message that is too large for one payload; its pieces follow each other. */
export interface Fragment {
  fragment: string;
  /** The message is whole with this piece. */
  last?: true;
}

/** What is new since `base`: whole messages, references to results that already stand in the history, pieces of messages. */
export type Appended = Message | ResultRef | Fragment;

/** Puts a part of a transcript into a context, when it is too large to go with the model call. */
export interface LoadContextInput {
  base?: ContextRef;
  append: Appended[];
}

// ---------------------------------------------------------------- limits

/** Caps and time limits of a run, recorded by `openTurn`. See `limits.ts` for each default and its source. */
export interface Limits {
  maxIterations: number;
  maxEmptyRetries: number;
  maxLengthRecoveries: number;
  maxInjectionsPerDrain: number;
  maxInjectionCycles: number;
  finalizeAtCap: boolean;
  /** Calls of one tool in a turn; a tool's own `callsPerTurn` goes first. */
  callsPerTurn: number;
  /** Calls of one tool in the whole run; absent: no cap. A tool's own `callsPerRun` goes first. */
  callsPerRun?: number;
  /** Identical calls in a turn: from this one on the result carries a warning. */
  repeatWarnAt: number;
  /** Identical calls in a turn: from this one on they are refused. */
  repeatRefuseAt: number;
  /** Replies in a row that consist of refused repeats before the turn ends with stop reason `loop`. */
  repeatRoundsMax: number;
  /** Calls of one reply that run at the same time. */
  maxParallel: number;
  toolResultMaxChars: number;
  toolTimeoutMs: number;
  toolAttempts: number;
  modelCallTimeoutMs: number;
  modelOutageWaitMs: number;
  cancelGraceMs: number;
  /** Events of a history from which the run goes on as a new one (continue-as-new); absent: 4,000. */
  historyEventsMax?: number;
  /** Prompt and completion tokens of the run together; absent: no cap. */
  maxTokens?: number;
  /** Needs a price for the model in the worker's configuration; absent: no cap. */
  maxCostUsd?: number;
  /** Of the whole run, from its start; absent: no cap. */
  timeoutMs?: number;
}

// ---------------------------------------------------------------- usage

/** Tokens of the requests that got an answer, summed; those that got none are counted apart. */
export interface Usage {
  requests: number;
  /** Attempts that got no usable answer: errors, time-outs, lost workers. */
  failedRequests: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
  /** True when the provider gave no count for at least one request and it was estimated. */
  estimated: boolean;
  /** Present when the worker's configuration has a price for the model. */
  costUsd?: number;
}

/** Usage of one reply. An absent count is 0, absent `requests` are 1, absent `estimated` is false. */
export type ReplyUsage = Partial<Usage>;

// ---------------------------------------------------------------- openTurn

export interface OpenTurnInput {
  agent: string;
  turn: number;
  /** Limits given with the run's input; they go before the agent's. */
  limits?: Partial<Limits>;
  /** Model given with the run's input; it goes before the agent's. */
  model?: string;
  metadata?: { [key: string]: string };
  /** Digest of the last record; when nothing changed, the result repeats the digest and nothing else. */
  known?: string;
}

/** What a turn is run with. Absent fields: unchanged since the record whose digest was given. */
export interface OpenedTurn {
  digest: string;
  instructions?: string;
  limits?: Limits;
  /** Set when the turn can't be opened: unknown agent, invalid limits. The run ends with stop reason `error`. */
  error?: RunError;
}

// ---------------------------------------------------------------- callModel

/**
 * What the request is for. `reply` is one of the loop's; the others are finalization requests without tools:
 * after blank replies, at the iteration cap, after a loop of refused repeats, at a budget.
 */
export type RequestPurpose =
  'reply' | 'finalize-blank' | 'finalize-cap' | 'finalize-loop' | 'finalize-budget';

export interface CallModelInput {
  agent: string;
  turn: number;
  /** 1 for the first request of a turn; a finalization request repeats the last one's number. */
  iteration: number;
  purpose?: RequestPurpose;
  model?: string;
  base?: ContextRef;
  append: Appended[];
  timeoutMs: number;
  outageWaitMs: number;
}

/** Why a model stopped, its synonyms resolved. `other`: a reason nobody here knows, which stands in `finishRaw`. */
export type FinishReason =
  'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal' | 'error' | 'other';

export interface ModelReply {
  /** As it enters the transcript: thinking removed from the text, calls with unique ids and valid JSON arguments. */
  message: AssistantMessage;
  /** Absent: `tool_calls` when the message has calls, else `stop`. */
  finish?: FinishReason;
  finishRaw?: string;
  /** Thinking that stood in the text, for display. */
  thinking?: string;
  /** One entry a call of the message, in order. */
  plan?: PlannedCall[];
  /** Names `base` with `append`: what was asked. Absent when the message enters the transcript as it is: `context` covers it. */
  asked?: string;
  /** Covers `base`, `append` and this message: the next `base` when the message enters the transcript as it is. */
  context: ContextRef;
  usage: ReplyUsage;
  /** The request was cancelled; the message holds what had arrived until then, maybe nothing. */
  interrupted?: boolean;
  /** A warning that belongs into the run's record (a tool left out, a context rebuilt). */
  warnings?: string[];
}

/** What the model activity decided about one call. Absent fields mean the default of the run's limits. */
export interface PlannedCall {
  /** Digest of tool and arguments: identical calls have the same. */
  hash: string;
  /** The activity type, when it isn't the name in the message. */
  tool?: string;
  /** The validated arguments, when they differ from those in the message. */
  args?: JsonObject;
  /** Where the arguments stand in the store, when they are too large for the history; the message then shows `{}`. */
  argsRef?: string;
  /** May overlap with its neighbours. */
  safe?: boolean;
  reads?: string[];
  writes?: string[];
  timeoutMs?: number;
  attempts?: number;
  taskQueue?: string;
  callsPerTurn?: number;
  callsPerRun?: number;
  /** A person has to agree first; a text is the reason shown to them. */
  approval?: boolean | string;
  /** Already answered: unknown tool, invalid arguments, refused by a guard. Nothing runs. */
  answer?: ToolOutcome;
}

// ---------------------------------------------------------------- tools

export interface RunToolInput {
  agent: string;
  /** turn/iteration/index */
  key: string;
  /** The `tool_call_id`. */
  id: string;
  args: JsonObject;
  /** The arguments stand in the store; `args` is empty. */
  argsRef?: string;
  /** Run id of the first execution of the chain: the stable part of the idempotency key. */
  root: string;
  timeoutMs: number;
  attempts: number;
  /** Code points of the preview, unless the tool has its own. */
  maxChars: number;
}

/**
 * How a call ended. `ok`; `error`: the tool failed; `refused`: it never ran (unknown, invalid, guarded, over a cap);
 * `rejected`: a person said no; `cancelled` and `unknown`: it may or may not have happened; `timeout`: it ran out of time.
 */
export type OutcomeStatus = 'ok' | 'error' | 'refused' | 'rejected' | 'cancelled' | 'timeout' | 'unknown';

/** turn-semantics §3: never retried; may be tried with another target; everything else. */
export type ErrorClass = 'hard_boundary' | 'soft_boundary' | 'general';

export interface ToolOutcome {
  status: OutcomeStatus;
  /** What the model reads. */
  text: string;
  /** Present on every status but `ok`. */
  class?: ErrorClass;
  violation?: { class: ErrorClass; target: string };
  /** Where the full result stands in the store, when `text` is only a preview. */
  ref?: string;
  /** Images that the model is shown beside the text. */
  files?: StoredPart[];
  /** Length of the full result in code points, when `text` is only a preview. */
  chars?: number;
  /** The attempt that gave this outcome; absent: the first. */
  attempts?: number;
}

// ---------------------------------------------------------------- run

/** Input of `agentWorkflow`. */
export interface RunInput {
  version: 1;
  agent: string;
  /** The first message: text, content parts, or an earlier conversation that ends in anything. */
  input: string | ContentPart[] | Message[];
  limits?: Partial<Limits>;
  model?: string;
  /** How long to wait for the next message after a turn, in ms. Absent or 0: the run ends when none waits. */
  keepOpenMs?: number;
  metadata?: { [key: string]: string };
  title?: string;
  /** The input is too large for one payload: it comes as the message with this id, in parts. `input` is an empty list. */
  inputId?: string;
  /** State of the run before, when Temporal continues it as a new one. Its shape is the core's, see `core/carry.ts`. */
  carried?: { version: number; run: unknown };
}

/** Payload of signal `inject`. A bare string is accepted too. */
export interface InjectedMessage {
  /** Given by the sender; the same id again is ignored. Absent: one is made. */
  id?: string;
  content: Content;
  /** Cancel what is running and go on with this message. */
  interrupt?: boolean;
}

export type StopReason =
  | 'completed'
  | 'max_iterations'
  | 'empty_response'
  | 'length'
  | 'refusal'
  | 'content_filter'
  | 'loop'
  | 'budget'
  | 'cancelled'
  | 'error';

export interface RunError {
  /** A short stable word: those of `ModelError` (`rate_limited`, `insufficient_quota`, …), `unknown_agent`, `context_missing` … */
  type: string;
  message: string;
}

/** Result of a run, at most 64 KB: what `result()` resolves to and the details of a failed run hold. */
export interface RunResult {
  text: string;
  stopReason: StopReason;
  usage: Usage;
  /** Model requests of the last turn's loop. */
  iterations: number;
  turns: number;
  error?: RunError;
  /** True when `text` was cut to fit; the whole text stands in the transcript. */
  truncated?: boolean;
}

/** An agent as a worker knows it: result of `describeAgentsWorkflow`, one each. */
export interface AgentDescription {
  name: string;
  model: string;
  /** Those that the agent sets itself; the others have their defaults. */
  limits: Partial<Limits>;
  /** What its model is offered, by name. `schema` is the JSON Schema of the arguments, left out when all are too large. */
  tools: { name: string; description: string; schema?: JsonObject }[];
}
