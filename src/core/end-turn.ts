import type { AssistantMessage } from '../contract.ts';
import { isBlank } from './reply.ts';
import { logged } from './log.ts';
import { takeNextTurn } from './next-turn.ts';
import type { Run, TurnEnd } from './run.ts';
import { placeholderText } from './texts.ts';

/**
 * Ends the turn. Unless an assistant's text ends the transcript already, the end's text enters it as an assistant message;
 * an error, or an end without text of its own, leaves a placeholder, which is never sent to a model. Waiting messages
 * start the next turn.
 */
export function endTurn(run: Run, end: TurnEnd, at: number): Run {
  const { turn } = run;
  if (!turn) return run;
  const alreadySaid =
    end.stopReason === 'error' || isBlank(end.text) || turn.pieces.join('').trim() === end.text;
  const closing: AssistantMessage = alreadySaid
    ? { role: 'assistant', content: placeholderText, placeholder: true }
    : { role: 'assistant', content: end.text };
  const ended: Run = {
    ...run,
    transcript: endsWithAnswer(run) ? run.transcript : [...run.transcript, { message: closing }],
    turn: { ...turn, phase: { at: 'ended', end } },
    log: logged(run.log, at, turn.n, {
      kind: 'turn-ended',
      text: end.text,
      stopReason: end.stopReason,
      iterations: turn.iteration,
      usage: run.usage,
      ...(end.error === undefined ? {} : { error: end.error }),
    }),
  };
  return takeNextTurn(ended, at);
}

function endsWithAnswer(run: Run): boolean {
  const last = run.transcript.at(-1)?.message;
  return last?.role === 'assistant' && !last.tool_calls?.length;
}
