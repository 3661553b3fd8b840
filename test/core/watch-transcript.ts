import type { Message, RunInput } from '../../src/contract.ts';
import { textOf } from '../../src/core/reply.ts';
import type { Run } from '../../src/core/run.ts';
import type { RunEvent } from '../../src/core/turn.ts';
import { holds } from './holds.ts';

/** The transcript is only appended to, and each call gets its own result, in call order, before anything else follows. */
export class WatchTranscript {
  /** Messages of an earlier conversation may be damaged: nobody but governance judges them. */
  #given: Set<unknown>;
  /** Ids of calls that wait for their results. */
  #open: string[] = [];
  /** The first outcome of each call of the round, by index. */
  #outcomes = new Map<number, string>();

  constructor({ input }: RunInput) {
    this.#given = new Set<unknown>(Array.isArray(input) ? input : []);
  }

  check(before: Run, event: RunEvent, after: Run): void {
    const { phase } = before.turn ?? {};
    if (event.kind === 'call-settled' && phase?.at === 'running' && !this.#outcomes.has(event.index)) {
      this.#outcomes.set(event.index, event.outcome.text);
    }
    before.transcript.forEach((entry, index) => {
      holds(after.transcript[index] === entry, `message ${index} of the transcript has changed`);
    });
    for (const { message } of after.transcript.slice(before.transcript.length)) this.#appended(message);
    this.#round(after);
  }

  #appended(message: Message): void {
    if (this.#given.has(message)) return;
    if (message.role === 'tool') return this.#result(message.tool_call_id, textOf(message.content));
    holds(this.#open.length === 0, `a ${message.role} message stands between calls and results`);
    if (message.role !== 'assistant') return;
    this.#open = (message.tool_calls ?? []).map((call) => call.id);
    this.#outcomes.clear();
  }

  #result(id: string, text: string): void {
    const expected = this.#open.shift();
    holds(id === expected, `a result of ${id} stands where one of ${expected ?? 'no call'} belongs`);
    const index = Number(id.slice(1));
    const outcome = this.#outcomes.get(index);
    holds(outcome === undefined || text.startsWith(outcome), `the result of ${id} is not its outcome`);
  }

  #round({ transcript, turn, dropped = 0 }: Run): void {
    const running = turn?.phase.at === 'running';
    holds(
      running === this.#open.length > 0,
      running ? 'a round runs without calls' : 'calls have no results',
    );
    // A run that was carried may have left all of them behind.
    if (turn?.phase.at !== 'ended' || (transcript.length === 0 && dropped > 0)) return;
    const last = transcript.at(-1)?.message;
    holds(
      last?.role === 'assistant' && !last.tool_calls,
      'a turn has ended without an assistant message at its end',
    );
  }
}
