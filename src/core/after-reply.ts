import type {
  AssistantMessage,
  FinishReason,
  ModelReply,
  RequestPurpose,
  RunError,
  StopReason,
} from '../contract.ts';
import { afterFailure } from './after-failure.ts';
import { ask, withPieces } from './ask.ts';
import { drain } from './drain.ts';
import { endTurn } from './end-turn.ts';
import { capReason, endUnfinalized } from './end-unfinalized.ts';
import { limitsOf } from './limits-of.ts';
import { logged } from './log.ts';
import { callsRunBehind, finishOf, isBlank, isEmptyReply, replyText, withoutCalls } from './reply.ts';
import { beginRound } from './round.ts';
import { entryCount, type Run, type Turn } from './run.ts';
import { continuationPrompt, noAnswer } from './texts.ts';
import { addUsage, usageOfReply } from './usage.ts';

/** What a reply leads to (turn-semantics §2–4). */
export function afterReply(run: Run, reply: ModelReply, at: number): Run {
  const { turn } = run;
  if (turn?.phase.at !== 'asking') return run;
  const { purpose } = turn.phase;
  const next = recorded(run, turn, purpose, reply, at);
  const finish = finishOf(reply);
  if (finish === 'error') return afterFailure(next, errorOf(reply), 0, at);
  if (purpose !== 'reply') return finalized(next, purpose, reply, finish, at);
  if (reply.message.tool_calls?.length && callsRunBehind(finish)) {
    return beginRound(withMessage(next, reply, reply.message), reply, at);
  }
  const unrepeated = withoutRepeats(next);
  const text = replyText(reply.message);
  if (isEmptyReply(text, finish)) return afterEmpty(unrepeated, at);
  if (finish === 'length') return afterCut(unrepeated, reply, text, at);
  return answered(unrepeated, reply, finish, at);
}

/** The text of such a reply belongs to the error, so it enters the log and never the transcript (turn-semantics §4.4). */
const errorOf = (reply: ModelReply): RunError => ({
  type: 'model_error',
  message: `the model ended its reply with finish reason ${reply.finishRaw ?? 'error'}`,
});

/** Only replies in a row that repeat refused calls make a loop; one without calls breaks the row. */
const withoutRepeats = (run: Run): Run =>
  run.turn?.repeatRounds ? { ...run, turn: { ...run.turn, repeatRounds: 0 } } : run;

/** Usage and log of the reply, and the context that now holds what was asked. */
export function recorded(
  current: Run,
  turn: Turn,
  purpose: RequestPurpose,
  reply: ModelReply,
  at: number,
): Run {
  const { contextMisses: _, ...run } = current;
  const usage = usageOfReply(reply.usage);
  return {
    ...run,
    usage: addUsage(run.usage, usage),
    ...(reply.asked === undefined ? {} : { base: { id: reply.asked, entries: entryCount(run) } }),
    log: logged(run.log, at, turn.n, {
      kind: 'model-replied',
      iteration: turn.iteration,
      purpose,
      text: replyText(reply.message),
      calls: (reply.message.tool_calls ?? []).map((call, index) => ({
        index,
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      })),
      finish: finishOf(reply),
      usage,
      ...(reply.thinking === undefined ? {} : { thinking: reply.thinking }),
      ...(reply.interrupted === undefined ? {} : { interrupted: reply.interrupted }),
      ...(reply.warnings === undefined ? {} : { warnings: reply.warnings }),
    }),
  };
}

/** The transcript with the reply; as it came, the reply's own context covers it. */
function withMessage(run: Run, reply: ModelReply, message: AssistantMessage): Run {
  const next = { ...run, transcript: [...run.transcript, { message }] };
  return message === reply.message
    ? { ...next, base: { id: reply.context.id, entries: entryCount(next) } }
    : next;
}

function afterEmpty(run: Run, at: number): Run {
  const { turn } = run;
  if (!turn) return run;
  const emptyInRow = turn.emptyInRow + 1;
  const next = { ...run, turn: { ...turn, emptyInRow } };
  return ask(next, emptyInRow <= limitsOf(run).maxEmptyRetries ? 'reply' : 'finalize-blank', at);
}

function afterCut(run: Run, reply: ModelReply, text: string, at: number): Run {
  const { turn } = run;
  if (!turn) return run;
  const pieces = [...turn.pieces, text];
  const next: Run = { ...run, turn: { ...turn, pieces, emptyInRow: 0 } };
  const kept = isBlank(text) ? next : withMessage(next, reply, withoutCalls(reply.message));
  if (pieces.length > limitsOf(run).maxLengthRecoveries) return concluded(kept, pieces, 'length', at);
  const prompt = { role: 'user' as const, content: continuationPrompt(pieces.join('')) };
  return ask({ ...kept, transcript: [...kept.transcript, { message: prompt }] }, 'reply', at);
}

/** An answer without calls that was not cut. */
function answered(run: Run, reply: ModelReply, finish: FinishReason, at: number): Run {
  const { turn } = run;
  if (!turn) return run;
  const text = replyText(reply.message);
  const kept = isBlank(text) ? run : withMessage(run, reply, withoutCalls(reply.message));
  const stopReason = ['refusal', 'content_filter', 'length'].includes(finish)
    ? (finish as StopReason)
    : 'completed';
  return concluded(kept, [...turn.pieces, text], stopReason, at);
}

/** The answer counts only when nobody has written meanwhile. All pieces are joined as they are and trimmed once. */
function concluded(run: Run, pieces: string[], stopReason: StopReason, at: number): Run {
  const drainedRun = drain(run, at);
  if (drainedRun) return ask(drainedRun, 'reply', at);
  return endTurn(run, { text: pieces.join('').trim(), stopReason }, at);
}

/** The answer to a finalization request; calls in it are ignored. */
function finalized(
  run: Run,
  purpose: RequestPurpose,
  reply: ModelReply,
  finish: FinishReason,
  at: number,
): Run {
  const { turn } = run;
  if (!turn) return run;
  const text = replyText(reply.message);
  if (purpose === 'finalize-blank') {
    if (!isBlank(text)) return answered(run, reply, finish, at);
    const drainedRun = drain(run, at);
    if (drainedRun) return ask(drainedRun, 'reply', at);
    return endTurn(run, { text: withPieces(turn.pieces, noAnswer), stopReason: 'empty_response' }, at);
  }
  if (isBlank(text)) return endUnfinalized(run, purpose, at);
  const kept = withMessage(run, reply, withoutCalls(reply.message));
  const joined = [...turn.pieces, text].join('').trim();
  return endTurn(kept, { text: joined, stopReason: capReason(purpose) }, at);
}
