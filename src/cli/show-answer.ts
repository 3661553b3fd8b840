import type { RunError, StopReason, Usage } from '../contract.ts';
import type { Terminal } from './command.ts';

/** The end of a turn or of a run. */
export interface Answer {
  text: string;
  stopReason: StopReason;
  usage?: Usage;
  iterations?: number;
  error?: RunError;
}

/** Shows how a turn ended. Resolves to the exit code: 0 for a complete answer, 1 for every other end. */
export function showAnswer(
  answer: Answer,
  run: { id: string; runId?: string | undefined },
  { out, err, paint }: Terminal,
  json = false,
): number {
  if (json)
    out(JSON.stringify({ id: run.id, ...(run.runId === undefined ? {} : { runId: run.runId }), ...answer }));
  else {
    out(`\n${paint('bold', 'Answer')}  ${answer.text}\n`);
    if (answer.error !== undefined) err(`${answer.error.type}: ${answer.error.message}`);
    else if (answer.stopReason !== 'completed') err(`Stop reason: ${answer.stopReason}`);
  }
  return answer.stopReason === 'completed' ? 0 : 1;
}

/** What the exit codes of commands that wait for an answer mean. */
export const answerExits = '0: the answer is complete. 1: it failed, or ended with another stop reason';
