import type { Client } from '@temporalio/client';
import type { Message } from '../contract.ts';
import type { LogEntry } from '../core/log.ts';
import type { Page } from '../core/page.ts';
import { entriesOf } from '../entries-of.ts';
import type { Run } from '../core/run.ts';
import { eventsPage, transcriptPage } from '../core/run-pages.ts';
import { stateOf, type RunState } from '../core/state.ts';
import { messagesGone } from '../core/texts.ts';
import { clientLimits } from '../limits.ts';
import { NoWorkerError, RunNotFoundError } from './errors.ts';
import { describeExecution } from './execution.ts';
import { foldExecution } from './fold/fold-history.ts';
import { isNotFound, isServerError } from './grpc.ts';
import { workerPolls } from './worker-watch.ts';

/** How long a run whose worker didn't answer is read from its history, before the worker is asked again. */
const silentForMs = 3_000;

/** Histories folded during one reading, by run id: its pages belong together. */
type Folded = Map<string, Run>;

/**
 * Reads one workflow id's runs: asks the run by query, which its worker answers, and where none does, fetches the history
 * and folds it. What stands in earlier runs of a chain is read there.
 */
export class RunReader {
  readonly #client: Client;
  readonly #id: string;
  #silentUntil = 0;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  async state(runId: string): Promise<RunState> {
    return await this.#ask(new Map(), runId, 'state', [], stateOf);
  }

  /** Messages from a position of the conversation on; a system message says how many are gone with the runs they stood in. */
  transcript(runId: string, from = 0): AsyncGenerator<Message, void, void> {
    const folded: Folded = new Map();
    return this.#entries<Message>(runId, from, Infinity, {
      ask: (run, position, offset) =>
        this.#ask(folded, run, 'transcript', [position, offset], (state) =>
          transcriptPage(state, position, offset),
        ),
      startOf: (before) => before.entries,
      gone: (start) => [{ role: 'system', content: messagesGone(start) }],
    });
  }

  /** Log entries behind a `seq`, as far back as there are runs. */
  events(runId: string, from = 0): AsyncGenerator<LogEntry, void, void> {
    const folded: Folded = new Map();
    return this.#entries<LogEntry>(runId, from, Infinity, {
      ask: (run, seq, offset) =>
        this.#ask(folded, run, 'events', [seq, offset], (state) => eventsPage(state, seq, offset)),
      startOf: (before) => before.seq,
      gone: () => [],
    });
  }

  /** Entries from a position on and before `end`: first those of the runs before this one of the chain. */
  async *#entries<T>(
    runId: string,
    from: number,
    end: number,
    list: {
      ask: (runId: string, from: number, offset: number) => Promise<Page<T>>;
      startOf: (before: NonNullable<Page<T>['before']>) => number;
      /** What stands in the place of entries before a position, when their runs are gone. */
      gone: (start: number) => T[];
    },
  ): AsyncGenerator<T, void, void> {
    const first = await list.ask(runId, from, 0);
    let position = from;
    if (first.before !== undefined) {
      position = list.startOf(first.before);
      try {
        yield* this.#entries(first.before.runId, from, Math.min(end, position), list);
      } catch (error) {
        // A conversation may live longer than Temporal keeps the runs that it went on from.
        if (!(error instanceof RunNotFoundError)) throw error;
        yield* list.gone(position);
      }
    }
    // The first page need not be asked for again when nothing stands before it.
    let kept = position === from ? first : undefined;
    const ask = async (next: number, offset: number): Promise<Page<T>> => {
      const page = kept ?? (await list.ask(runId, next, offset));
      kept = undefined;
      return page;
    };
    if (position >= end) return;
    for await (const entry of entriesOf<T>(ask, position)) {
      yield entry;
      if (++position >= end) return;
    }
  }

  async #ask<T>(
    folded: Folded,
    runId: string,
    query: string,
    args: number[],
    answerOf: (run: Run) => T,
  ): Promise<T> {
    const known = folded.get(runId);
    if (known !== undefined) return answerOf(known);
    let reason: unknown = new Error('no answer to the query before');
    if (Date.now() >= this.#silentUntil) {
      try {
        return await this.#query<T>(runId, query, args);
      } catch (error) {
        if (isNotFound(error))
          throw new RunNotFoundError(this.#id, this.#client.options.namespace, { cause: error });
        if (isServerError(error)) throw error;
        this.#silentUntil = Date.now() + silentForMs;
        reason = error;
      }
    }
    const run = await this.#fold(runId, reason);
    folded.set(runId, run);
    return answerOf(run);
  }

  async #query<T>(runId: string, query: string, args: number[]): Promise<T> {
    const handle = this.#client.workflow.getHandle(this.#id, runId);
    return await this.#client.withDeadline(Date.now() + clientLimits.queryDeadlineMs, () =>
      handle.query<T, number[]>(query, ...args),
    );
  }

  async #fold(runId: string, queryError: unknown): Promise<Run> {
    try {
      return await foldExecution(this.#client, this.#id, runId);
    } catch (error) {
      const { taskQueue } = await describeExecution(this.#client, this.#id, runId);
      if (!(await workerPolls(this.#client, taskQueue)))
        throw new NoWorkerError(this.#id, taskQueue, { cause: error });
      const reasonOf = (thrown: unknown): string => (thrown as Error | null)?.message ?? String(thrown);
      throw new Error(
        `the run "${this.#id}" can't be read: its worker doesn't answer (${reasonOf(queryError)}), and its history ` +
          `can't be folded (${reasonOf(error)}). Is it a run of agentWorkflow, and is the client as new as the worker?`,
        { cause: error },
      );
    }
  }
}
