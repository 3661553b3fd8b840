import type { ModelReply, ToolOutcome } from '../contract.ts';
import { recorded } from './after-reply.ts';
import { ask, withPieces } from './ask.ts';
import { iterationsLeft } from './caps.ts';
import { drain } from './drain.ts';
import { endTurn } from './end-turn.ts';
import { limitsOf } from './limits-of.ts';
import { closeRound } from './round.ts';
import { isBlank, replyText, withoutCalls } from './reply.ts';
import { logged } from './log.ts';
import type { Call, Run, Turn } from './run.ts';
import { atIterationCap, notStarted, stopMarks, stoppedCalls } from './texts.ts';

export type Stop = 'interrupted' | 'cancelled' | 'time-up';

/**
 * What was in flight has been stopped. Text that had arrived is kept and marked, calls without an outcome get one, and
 * then: an interrupt goes on with the message, a cancel ends the run, time that is up leads to the last request.
 */
export function afterStop(run: Run, why: Stop, partial: ModelReply | undefined, at: number): Run {
  const flagged: Run = {
    ...run,
    ...(why === 'cancelled' ? { cancelled: true } : {}),
    ...(why === 'time-up' ? { timeUp: true } : {}),
  };
  const { turn } = flagged;
  if (!turn || turn.phase.at === 'ended') return flagged;
  // A last request is already on its way; time that is up has nothing more to stop.
  if (why === 'time-up' && turn.phase.at === 'asking' && turn.phase.purpose === 'finalize-budget')
    return flagged;
  const stopped = settled(withPartial(withOpening(flagged, turn, why), turn, why, partial, at), why, at);
  switch (why) {
    case 'cancelled':
      return endTurn(stopped, { text: partialText(turn, partial), stopReason: 'cancelled' }, at);
    case 'time-up':
      return turn.phase.at === 'opening' ? stopped : ask(stopped, 'reply', at);
    case 'interrupted': {
      const drainedRun = drain(stopped, at);
      if (drainedRun) return ask(drainedRun, 'reply', at);
      // The budget is used up: `ask` ends the turn as it does everywhere.
      if (iterationsLeft(turn, limitsOf(run))) return ask(stopped, 'reply', at);
      // No iteration is left for the message: it starts the next turn.
      return endTurn(
        stopped,
        { text: withPieces(turn.pieces, atIterationCap), stopReason: 'max_iterations' },
        at,
      );
    }
  }
}

/** Messages of a turn that is cancelled before it was opened stay in the transcript. */
function withOpening(run: Run, turn: Turn, why: Stop): Run {
  if (turn.phase.at !== 'opening' || why !== 'cancelled') return run;
  const entries = turn.phase.messages.map((message) => ({ message }));
  return { ...run, transcript: [...run.transcript, ...entries] };
}

/** The reply that was cut short enters the transcript with a mark, without calls; with no text, only the mark does. */
function withPartial(run: Run, turn: Turn, why: Stop, partial: ModelReply | undefined, at: number): Run {
  if (turn.phase.at !== 'asking') return run;
  const next = partial ? recorded(run, turn, turn.phase.purpose, partial, at) : run;
  const text = partial ? replyText(partial.message) : '';
  const content = isBlank(text) ? stopMarks[why] : `${text}\n\n${stopMarks[why]}`;
  const message = partial
    ? { ...withoutCalls(partial.message), content }
    : { role: 'assistant' as const, content };
  return { ...next, transcript: [...next.transcript, { message }] };
}

/** Closes the round in progress: a call that had started has an unknown outcome, one that had not didn't happen. */
function settled(run: Run, why: Stop, at: number): Run {
  const { turn } = run;
  if (turn?.phase.at !== 'running') return run;
  let { log } = run;
  const calls = turn.phase.calls.map((call): Call => {
    if (call.outcome) return call;
    const outcome = stoppedOutcome(call, why);
    const { index, id, name } = call;
    log = logged(log, at, turn.n, {
      kind: 'call-settled',
      iteration: turn.iteration,
      index,
      id,
      name,
      outcome,
    });
    return { ...call, outcome };
  });
  return closeRound({ ...run, log }, calls);
}

const stoppedOutcome = (call: Call, why: Stop): ToolOutcome => ({
  status: 'cancelled',
  class: 'general',
  text: call.started ? stoppedCalls[why] : notStarted,
});

function partialText(turn: Turn, partial: ModelReply | undefined): string {
  return [...turn.pieces, partial ? replyText(partial.message) : ''].join('').trim();
}
