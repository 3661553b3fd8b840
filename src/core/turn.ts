import type {
  Appended,
  ContextRef,
  Message,
  ModelReply,
  OpenedTurn,
  RequestPurpose,
  RunError,
  ToolOutcome,
} from '../contract.ts';
import { afterReply } from './after-reply.ts';
import { afterFailure } from './after-failure.ts';
import { afterStop, type Stop } from './after-stop.ts';
import { afterContextMissing } from './after-context-missing.ts';
import { afterMessage, afterPart, type ReceivedMessage } from './after-message.ts';
import { nextDelta } from './delta.ts';
import { interruptWaits } from './inbox.ts';
import { endTurn } from './end-turn.ts';
import { settleCall, startCall } from './round.ts';
import { ask } from './ask.ts';
import { logged } from './log.ts';
import type { MessagePart } from './parts.ts';
import type { Call, Run, TurnEnd } from './run.ts';
import { dependencies } from './schedule.ts';
import { withFailed } from './usage.ts';

/**
 * What to do next. Every way a turn can end:
 * - an answer without calls: `completed`, `refusal` or `content_filter`, by the finish reason;
 * - a cut answer that no recovery is left for: `length`;
 * - blank replies, and a blank finalization behind them: `empty_response`;
 * - no iteration left: one finalization request, `max_iterations`;
 * - three replies in a row that repeat refused calls: one finalization request, `loop`;
 * - tokens, money or time used up: a finalization request if tokens and money allow it, `budget`;
 * - the model finally unreachable or refusing the request, the turn impossible to open: `error`;
 * - the run cancelled: `cancelled`.
 * Before an answer or an error counts, waiting messages are taken and the turn goes on (`goOnWithMessages`).
 */
export type Step =
  | { kind: 'open-turn' }
  | { kind: 'call-model'; purpose: RequestPurpose; base?: ContextRef; append: Appended[] }
  /** What is new is too large for one payload: this part of it first. */
  | { kind: 'load-context'; base?: ContextRef; append: Appended[] }
  /** Run each call as soon as the calls it waits for are settled; `waitsFor[i]` belongs to `calls[i]`. */
  | { kind: 'run-calls'; calls: Call[]; waitsFor: number[][] }
  | { kind: 'wait'; forMs: number }
  | { kind: 'finish'; end: TurnEnd };

/** What happened. `at` is in ms since the epoch and comes from the shell: the core has no clock. */
export type RunEvent = { at: number } & (
  | { kind: 'turn-opened'; opened: OpenedTurn }
  | { kind: 'model-called' }
  | { kind: 'model-replied'; reply: ModelReply }
  | { kind: 'model-failed'; error: RunError; failedRequests?: number }
  /** The activity found neither `base` nor a way to ask the run for it. */
  | { kind: 'context-missing' }
  | { kind: 'context-loaded'; context: ContextRef }
  | { kind: 'call-started'; index: number }
  | { kind: 'call-settled'; index: number; outcome: ToolOutcome; recorded?: boolean }
  | { kind: 'message-received'; message: ReceivedMessage }
  /** A piece of a message that is too large for one signal. */
  | { kind: 'part-received'; part: MessagePart }
  /**
   * What was in flight has ended because a message interrupts, the run is cancelled or its time is up. The reply holds what
   * had arrived; `failedRequests` are there when the request failed before it could be stopped.
   */
  | { kind: Stop; partial?: ModelReply; failedRequests?: number }
  | { kind: 'waited-out' }
);

export function nextStep(run: Run): Step {
  const phase = run.turn?.phase;
  if (phase === undefined || phase.at === 'ended') {
    const stays = run.keepOpenMs > 0 && !run.waitedOut && !run.timeUp && !run.cancelled;
    if (run.inputId !== undefined && !run.waitedOut && !run.cancelled)
      return { kind: 'wait', forMs: inputWaitMs };
    if (stays) return { kind: 'wait', forMs: run.keepOpenMs };
    const end = phase?.end ?? (run.inputId === undefined ? nothingAsked : inputIncomplete);
    return { kind: 'finish', end: run.cancelled ? { text: end.text, stopReason: 'cancelled' } : end };
  }
  switch (phase.at) {
    case 'opening':
      return { kind: 'open-turn' };
    case 'asking':
      return askOrLoad(run, phase.purpose);
    case 'running':
      return { kind: 'run-calls', calls: phase.calls, waitsFor: dependencies(phase.calls) };
  }
}

export function apply(run: Run, event: RunEvent): Run {
  switch (event.kind) {
    case 'turn-opened':
      return opened(run, event.opened, event.at);
    case 'model-called':
      return modelCalled(run, event.at);
    case 'model-replied':
      return afterReply(run, event.reply, event.at);
    case 'model-failed':
      return afterFailure(run, event.error, event.failedRequests ?? 0, event.at);
    case 'context-missing':
      return afterContextMissing(run, event.at);
    case 'context-loaded':
      return run.turn?.phase.at === 'asking' ? { ...run, base: event.context } : run;
    case 'call-started':
      return startCall(run, event.index, event.at);
    case 'call-settled':
      return settleCall(run, event.index, event.outcome, event.recorded ?? false, event.at);
    case 'message-received':
      return afterMessage(run, event.message, event.at);
    case 'part-received':
      return afterPart(run, event.part, event.at);
    case 'interrupted':
    case 'cancelled':
    case 'time-up':
      return afterStop(withLateFailure(run, event.failedRequests), event.kind, event.partial, event.at);
    case 'waited-out':
      return nextStep(run).kind === 'wait' ? { ...run, waitedOut: true } : run;
  }
}

/** The request that was stopped is over either way; what its failure cost counts. */
const withLateFailure = (run: Run, failedRequests = 0): Run =>
  failedRequests === 0 || run.turn?.phase.at !== 'asking'
    ? run
    : { ...run, usage: withFailed(run.usage, failedRequests) };

/** What is in flight has to end: a message interrupts. */
export const wantsInterrupt = (run: Run): boolean =>
  (run.turn?.phase.at === 'asking' || run.turn?.phase.at === 'running') && interruptWaits(run.inbox);

/** How long the parts of a run's input may take to come. */
const inputWaitMs = 60_000;

const inputIncomplete: TurnEnd = {
  text: '',
  stopReason: 'error',
  error: {
    type: 'input_incomplete',
    message: 'the parts of the input did not all come within 60 s: its sender stopped, start the run again',
  },
};

const nothingAsked: TurnEnd = {
  text: '',
  stopReason: 'error',
  error: {
    type: 'blank_input',
    message: 'input is blank and no message came: give the run a text, parts or messages',
  },
};

/** What is new goes with the request; what doesn't fit into one payload is put into the context before. */
function askOrLoad(run: Run, purpose: RequestPurpose): Step {
  const { whole, base, append } = nextDelta(run.transcript, run.base, run.dropped);
  const sent = base === undefined ? { append } : { base, append };
  return whole ? { kind: 'call-model', purpose, ...sent } : { kind: 'load-context', ...sent };
}

function opened(current: Run, turn: OpenedTurn, at: number): Run {
  if (current.turn?.phase.at !== 'opening') return current;
  const { messages } = current.turn.phase;
  const instructions: Message[] =
    turn.instructions === undefined
      ? []
      : [{ role: 'system', name: 'instructions', content: turn.instructions }];
  const added = [...instructions, ...messages].map((message) => ({ message }));
  const run: Run = { ...current, transcript: [...current.transcript, ...added] };
  if (turn.error) return endTurn(run, { text: '', stopReason: 'error', error: turn.error }, at);
  const next: Run = {
    ...run,
    digest: turn.digest,
    ...(turn.limits === undefined ? {} : { limits: turn.limits }),
  };
  return ask(next, 'reply', at);
}

function modelCalled(run: Run, at: number): Run {
  const { turn } = run;
  if (turn?.phase.at !== 'asking') return run;
  const { purpose } = turn.phase;
  return {
    ...run,
    log: logged(run.log, at, turn.n, { kind: 'model-started', iteration: turn.iteration, purpose }),
  };
}
