import type {
  AssistantMessage,
  Content,
  ContentPart,
  ContextRef,
  JsonObject,
  Limits,
  Message,
  PlannedCall,
  RequestPurpose,
  ResultRef,
  RunError,
  RunInput,
  StopReason,
  ToolOutcome,
  Usage,
} from '../contract.ts';
import { isBlankContent } from './inbox.ts';
import { logged, type LogEntry } from './log.ts';
import type { PendingParts } from './parts.ts';
import type { Tally } from './tally.ts';
import { noUsage } from './usage.ts';

/** One message of the transcript; `result` when it also stands in the history as the result of a tool's activity. */
export interface Entry {
  message: Message;
  result?: ResultRef;
}

/** A message from outside that no turn has taken yet. */
export interface WaitingMessage {
  id: string;
  content: Content;
  interrupt?: boolean;
}

export interface Inbox {
  /** In arrival order. */
  waiting: WaitingMessage[];
  /** Ids of everything that ever came in: the same id again is ignored. */
  seen: string[];
  /** Messages that have come in part. */
  parts?: PendingParts;
}

/** A call of the round in progress. It has an outcome once it is settled. */
export interface Call extends PlannedCall {
  index: number;
  id: string;
  name: string;
  /** turn/iteration/index */
  key: string;
  started?: boolean;
  outcome?: ToolOutcome;
  /** The outcome stands in the history as the result of the call's own activity. */
  recorded?: boolean;
  /** Goes behind the outcome's text. */
  note?: string;
}

export interface TurnEnd {
  text: string;
  stopReason: StopReason;
  error?: RunError;
}

/** Where a turn stands. */
export type Phase =
  | { at: 'opening'; messages: Message[] }
  | { at: 'asking'; purpose: RequestPurpose }
  | { at: 'running'; message: AssistantMessage; calls: Call[] }
  | { at: 'ended'; end: TurnEnd };

export interface Turn {
  /** Counted from 1. */
  n: number;
  phase: Phase;
  /** Model requests of the loop so far, the one in flight included. */
  iteration: number;
  emptyInRow: number;
  /** Pieces of an answer that was cut off by length, in order, with their outer white space. */
  pieces: string[];
  injectionCycles: number;
  /** Calls of this turn by tool, refused ones included. */
  callsByTool: Tally;
  /** Calls of this turn by hash, refused ones included. */
  callsByHash: Tally;
  /** Replies in a row that consisted of refused repeats. */
  repeatRounds: number;
  /** Ids of the messages this turn answers. */
  messageIds: string[];
}

/** The whole state of a run: one JSON value. */
export interface Run {
  version: 1;
  /** Which rules `nextStep` follows: recorded at start, see `workflows/patches.ts`. */
  rules: number;
  agent: string;
  model?: string;
  metadata?: Record<string, string>;
  keepOpenMs: number;
  /** Limits of the run's input. */
  limitsGiven?: Partial<Limits>;
  /** What the last `openTurn` recorded. */
  limits?: Limits;
  digest?: string;
  /** When the first run of the chain started, in ms since the epoch. */
  startedAt: number;
  /** The message with this id, in parts, is the run's input. */
  inputId?: string;
  /** What stands in the runs before this one of the chain: entries up to `entries`, log entries up to `seq`. */
  before?: { runId: string; entries: number; seq: number };
  /** Entries that stand before `transcript`; their context is known by `base` only. */
  dropped?: number;
  /** The newest entries. Positions in it are counted from the start of the conversation: add `dropped`. */
  transcript: Entry[];
  /** The context that the model activity can load instead of being sent the transcript's beginning. */
  base?: ContextRef;
  /** Contexts in a row that turned out to be lost. */
  contextMisses?: number;
  inbox: Inbox;
  /** The turn in progress, or the last one. */
  turn?: Turn;
  /** Soft boundary violations by target. */
  violations: Tally;
  callsByTool: Tally;
  usage: Usage;
  log: LogEntry[];
  /** The run's time is up: no request but one finalization. */
  timeUp?: boolean;
  /** The one finalization request that a used-up budget allows has been asked. */
  budgetFinalized?: boolean;
  /** Nobody wrote for as long as the run was kept open. */
  waitedOut?: boolean;
  cancelled?: boolean;
}

/** A run at its start. Blank input is no turn: the run then waits for its first message. */
export function newRun(input: RunInput, rules: number, at: number): Run {
  const run: Run = {
    version: 1,
    rules,
    agent: input.agent,
    ...(input.model === undefined ? {} : { model: input.model }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(input.limits === undefined ? {} : { limitsGiven: input.limits }),
    keepOpenMs: input.keepOpenMs ?? 0,
    startedAt: at,
    ...(input.inputId === undefined ? {} : { inputId: input.inputId }),
    transcript: [],
    inbox: { waiting: [], seen: [] },
    violations: {},
    callsByTool: {},
    usage: noUsage,
    log: [],
  };
  const messages = startMessages(input.input);
  if (messages.length === 0) return run;
  return startTurn(run, messages, [], at);
}

/** Starts the next turn. Its messages enter the transcript once it is opened, behind instructions that changed. */
export function startTurn(run: Run, messages: Message[], messageIds: string[], at: number): Run {
  const n = (run.turn?.n ?? 0) + 1;
  // Somebody wrote: behind this turn the run is kept open as long as behind any other.
  const { waitedOut: _, contextMisses: __, ...stays } = run;
  return {
    ...stays,
    turn: {
      n,
      phase: { at: 'opening', messages },
      iteration: 0,
      emptyInRow: 0,
      pieces: [],
      injectionCycles: 0,
      callsByTool: {},
      callsByHash: {},
      repeatRounds: 0,
      messageIds,
    },
    log: logged(run.log, at, n, { kind: 'turn-started', messageIds }),
  };
}

/** Messages of the conversation so far, those before `transcript` included. */
export const entryCount = (run: Run): number => (run.dropped ?? 0) + run.transcript.length;

function startMessages(input: RunInput['input']): Message[] {
  if (typeof input === 'string') return isBlankContent(input) ? [] : [{ role: 'user', content: input }];
  // A damaged conversation may hold entries without a role; governance mends the model's copy.
  if (input.some((item) => 'role' in item)) return input as Message[];
  const content = input as ContentPart[];
  return isBlankContent(content) ? [] : [{ role: 'user', content }];
}

/** The arguments a call will run with. */
export function argumentsOf(call: Call, message: AssistantMessage): JsonObject {
  if (call.argsRef !== undefined) return {};
  if (call.args !== undefined) return call.args;
  return JSON.parse(message.tool_calls?.[call.index]?.function.arguments ?? '{}') as JsonObject;
}
