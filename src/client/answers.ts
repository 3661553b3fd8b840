import type { Client } from '@temporalio/client';
import type { RunError, StopReason, Usage } from '../contract.ts';
import type { LogEntry } from '../core/log.ts';
import { RunEndedError } from './errors.ts';
import { endProblem } from './end-problem.ts';
import type { Execution } from './execution.ts';
import { follow } from './follow.ts';
import type { RunReader } from './run-reader.ts';
import type { WorkerWatch } from './worker-watch.ts';

/** How the turn ended that took a message. */
export interface Answer {
  /** Of the message. */
  messageId: string;
  text: string;
  stopReason: StopReason;
  error?: RunError;
  turn: number;
  /** Model requests of the turn's loop. */
  iterations: number;
  /** Of the run until the end of the turn. */
  usage: Usage;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

type TurnEnded = Extract<LogEntry, { kind: 'turn-ended' }>;

export interface AnswersOptions {
  id: string;
  /** `seq` that reading begins behind. */
  from: number;
  reader: RunReader;
  latest: () => Promise<Execution>;
  watch?: WorkerWatch;
}

/** Waits for the answers to messages of one run. All who wait share one reader, which reads while somebody waits. */
export class Answers {
  readonly from: number;
  readonly #options: AnswersOptions;
  readonly #turnOf = new Map<string, number>();
  readonly #endOf = new Map<number, TurnEnded>();
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #stop = new AbortController();
  readonly #forget: () => void;
  #over: { error: (messageId: string) => unknown } | undefined;

  /** @param forget Called when reading has stopped: who comes then starts anew. */
  constructor(options: AnswersOptions, forget: () => void) {
    this.from = options.from;
    this.#options = options;
    this.#forget = forget;
    void this.#read();
  }

  /**
   * The answer to a message that was sent. `signal` stops waiting.
   *
   * @throws RunEndedError and the errors of a run's end, NoWorkerError; what `signal` was aborted with
   */
  async to(messageId: string, signal?: AbortSignal): Promise<Answer> {
    const known = this.#answer(messageId);
    if (known) return known;
    if (this.#over) throw this.#over.error(messageId);
    const waiting = this.#waiting.get(messageId) ?? new Set<Waiting>();
    this.#waiting.set(messageId, waiting);
    let own: Waiting | undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        own = { resolve, reject };
        waiting.add(own);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    } finally {
      if (own) waiting.delete(own);
      if (waiting.size === 0) this.#waiting.delete(messageId);
      if (this.#waiting.size === 0) this.#leave();
    }
  }

  #leave(): void {
    this.#stop.abort();
    this.#forget();
  }

  async #read(): Promise<void> {
    const { id, ...options } = this.#options;
    try {
      const entries = follow({ ...options, signal: this.#stop.signal });
      let next = await entries.next();
      for (; !next.done; next = await entries.next()) this.#note(next.value);
      if (this.#stop.signal.aborted) return;
      const execution = next.value;
      const { status } = execution;
      this.#end((messageId) => endProblem(id, status) ?? new RunEndedError(id, messageId, status));
    } catch (error) {
      this.#end(() => error);
    }
  }

  #note(entry: LogEntry): void {
    if (entry.kind === 'turn-started' || entry.kind === 'messages-taken') {
      for (const messageId of entry.messageIds) this.#turnOf.set(messageId, entry.turn);
    }
    if (entry.kind !== 'turn-ended') return;
    this.#endOf.set(entry.turn, entry);
    for (const [messageId, waiting] of this.#waiting) {
      const answer = this.#answer(messageId);
      if (answer) for (const each of waiting) each.resolve(answer);
    }
  }

  #answer(messageId: string): Answer | undefined {
    const end = this.#endOf.get(this.#turnOf.get(messageId) ?? 0);
    if (!end) return undefined;
    const { turn, text, stopReason, iterations, usage, error } = end;
    return {
      messageId,
      text,
      stopReason,
      turn,
      iterations,
      usage,
      ...(error === undefined ? {} : { error }),
    };
  }

  #end(error: (messageId: string) => unknown): void {
    this.#over = { error };
    this.#forget();
    for (const [messageId, waiting] of this.#waiting)
      for (const each of waiting) each.reject(error(messageId));
  }
}

const shared = new WeakMap<Client, Map<string, Answers>>();

/**
 * The shared reader of a run's answers that has read from `from` or earlier on; a new one where there is none. Call `to`
 * at once: a reader that nobody waits on stops.
 */
export function answersOf(client: Client, key: string, options: AnswersOptions): Answers {
  const byRun = shared.get(client) ?? new Map<string, Answers>();
  shared.set(client, byRun);
  const known = byRun.get(key);
  if (known && known.from <= options.from) return known;
  const fresh: Answers = new Answers(options, () => {
    if (byRun.get(key) === fresh) byRun.delete(key);
  });
  byRun.set(key, fresh);
  return fresh;
}

/** Where the shared reader of a run's answers has begun, if there is one: it sees whatever is answered from now on. */
export const answersReadFrom = (client: Client, key: string): number | undefined =>
  shared.get(client)?.get(key)?.from;
