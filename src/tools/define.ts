import type { z } from 'zod';
import type { JsonObject } from '../contract.ts';

/** What a tool's function gets beside its arguments. */
export interface ToolContext {
  /** The `tool_call_id` of the call. Models repeat ids; for recognizing a repetition use `idempotencyKey`. */
  callId: string;
  /** Workflow id of the run. */
  runId: string;
  /** Run id of the first execution of the run's chain: it stays when Temporal's run id changes (continue-as-new, Reset). */
  rootRunId: string;
  /** The same on every attempt of this call, after a Reset and after continue-as-new; different for every other call. */
  idempotencyKey: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Fires when the run is cancelled, the user interrupts, the tool's time is up or the worker shuts down. */
  signal: AbortSignal;
  /** Reports progress, shown in the Temporal UI. The framework heartbeats for every tool; this is only for the details. */
  heartbeat(details?: unknown): void;
  log: ToolLog;
}

export interface ToolLog {
  debug(message: string, attributes?: Record<string, unknown>): void;
  info(message: string, attributes?: Record<string, unknown>): void;
  warn(message: string, attributes?: Record<string, unknown>): void;
  error(message: string, attributes?: Record<string, unknown>): void;
}

/** What `verify` found out about a call whose worker died: it happened (with this result), or it did not. */
export type Verified<R> = { happened: true; result: R } | { happened: false };

export type ToolParameters = z.ZodObject | Record<string, unknown>;
export type ToolArguments<P> = P extends z.ZodType ? z.output<P> : JsonObject;

export interface ToolSpec<P extends ToolParameters = ToolParameters, R = unknown> {
  /** Letters, digits, `_` and `-`, at most 64; also the activity's type, so it shows in the Temporal UI. */
  name: string;
  /** What it does, when to use it, what it returns: the model reads nothing else. */
  description: string;
  /** A zod object, or a JSON Schema of type object. */
  parameters: P;
  execute(args: ToolArguments<P>, context: ToolContext): R | Promise<R>;
  /** Asked once when a worker died while the call ran and it isn't known whether it happened. */
  verify?(args: ToolArguments<P>, context: ToolContext): Verified<R> | Promise<Verified<R>>;

  /** MCP's tool annotations, with MCP's meaning; all false by default. */
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  openWorld?: boolean;

  /** May overlap with its neighbours in a reply. Default: `readOnly`. */
  concurrencySafe?: boolean;
  /** What a call touches: calls that share a resource which one of them writes don't overlap. */
  resources?(args: ToolArguments<P>): { reads?: string[]; writes?: string[] };
  /** Whether a person has to agree first; a text is the reason shown to them. Default: `destructive`. */
  approval?: boolean | ((args: ToolArguments<P>) => boolean | string);

  /** Longest time of one attempt, in ms. Default: limit `toolTimeoutMs`. */
  timeoutMs?: number;
  /** Tries in all, for failures that are worth another one. Default: limit `toolAttempts`. */
  attempts?: number;
  callsPerTurn?: number;
  callsPerRun?: number;
  /** Task queue of the workers that have what this tool needs. Default: the run's. */
  taskQueue?: string;
  /** How the preview is cut. `maxChars`: default limit `toolResultMaxChars`; `keepRows`: rows shown of a list of objects; `fields`: fields shown of each. */
  result?: { maxChars?: number; keepRows?: number; fields?: string[] };
}

/** A tool as `defineTool` returns it: checked, its schema rendered. */
export interface Tool {
  readonly spec: ToolSpec;
  readonly name: string;
  /** JSON Schema of the arguments, as it goes to a model. */
  readonly schema: Record<string, unknown>;
}
