import type { Client, WorkflowHandle, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { Content, Message, RunResult } from '../contract.ts';
import type { LogEntry } from '../core/log.ts';
import type { RunState } from '../core/state.ts';
import { answersOf, answersReadFrom, type Answer } from './answers.ts';
import { AnswerTimeoutError, RunEndedError } from './errors.ts';
import { latestExecution, type Execution } from './execution.ts';
import { follow } from './follow.ts';
import { isNotFound } from './grpc.ts';
import { signalsOf } from './message.ts';
import { runResult } from './run-result.ts';
import { RunReader } from './run-reader.ts';
import { eachUntilClosed, untilClosed } from './until-closed.ts';
import { WorkerWatch } from './worker-watch.ts';

export interface WaitOptions {
  /** Wait on where no worker polls the run's task queue. Default false: NoWorkerError after some 5 s. */
  waitForWorker?: boolean;
}

export interface AskOptions extends WaitOptions {
  /** Of the message. The same id asked again gives the same answer, from any process. Default: a random one. */
  id?: string;
  /** Default: as long as it takes. */
  timeoutMs?: number;
  /** Cancel what is running and go on with this message. */
  interrupt?: boolean;
}

/** What Temporal knows of a run. */
export interface RunDescription {
  id: string;
  /** Temporal's run id of the newest run of the chain. */
  runId: string;
  agent?: string;
  title?: string;
  metadata: Record<string, string>;
  /** `RUNNING`, `COMPLETED`, `FAILED`, `CANCELLED`, `TERMINATED`, `TIMED_OUT`. */
  status: string;
  taskQueue: string;
  startedAt: Date;
  closedAt?: Date;
}

/**
 * One run of an agent, whatever becomes of it: it follows continue-as-new. A handle from `start` stays with that run; one
 * by id reads the newest run that has it. Messages go to the run with the id that is under way.
 *
 * Every method rejects with RunNotFoundError when no run has the id, and with ClientClosedError when the client is closed
 * before there is an answer.
 */
export class RunHandle {
  readonly id: string;
  readonly temporal: WorkflowHandle;
  readonly #client: Client;
  readonly #firstRunId: string | undefined;
  readonly #reader: RunReader;

  constructor(client: Client, handle: WorkflowHandle | WorkflowHandleWithFirstExecutionRunId) {
    this.#client = client;
    this.temporal = handle;
    this.id = handle.workflowId;
    this.#firstRunId = 'firstExecutionRunId' in handle ? handle.firstExecutionRunId : undefined;
    this.#reader = new RunReader(client, this.id);
  }

  /**
   * How the run ended, also when it was cancelled or ended with an error: then with what there is. Its text is the last
   * turn's.
   *
   * @throws RunTerminatedError, RunTimedOutError, NoWorkerError
   */
  async result(options: WaitOptions = {}): Promise<RunResult> {
    const stop = new AbortController();
    const ended = this.#client.withAbortSignal(stop.signal, () => this.temporal.result());
    ended.catch(() => {}); // Aborted when the watch was first; the race below tells of every other failure.
    const guard = options.waitForWorker
      ? []
      : [new WorkerWatch(this.#client, this.id).guard(this.#latest, stop.signal).then(() => ended)];
    try {
      return (await this.#untilClosed(() => Promise.race([ended, ...guard]))) as RunResult;
    } catch (error) {
      const { namespace } = this.#client.options;
      return await this.#untilClosed(() => runResult(this.id, namespace, error, this.#latest));
    } finally {
      stop.abort();
    }
  }

  /**
   * Sends a message into the run; it is taken up at the loop's next boundary. The same `id` again is ignored, so a send
   * may be repeated when its outcome is unknown. Over 512 KB it goes in parts.
   *
   * @throws RunEndedError, MessageTooLargeError; TypeError when `content` is blank
   */
  async send(content: Content, options: { id?: string; interrupt?: boolean } = {}): Promise<void> {
    const id = options.id ?? randomUUID();
    const message = { id, content, ...(options.interrupt ? { interrupt: true } : {}) };
    const signals = signalsOf(this.id, message);
    await this.#untilClosed(async () => {
      for (const signal of signals) await this.#signal(signal, id);
    });
  }

  /** Cancels what is running and goes on with the message. As `send` with `interrupt`. */
  async interrupt(content: Content, options: { id?: string } = {}): Promise<void> {
    await this.send(content, { ...options, interrupt: true });
  }

  /**
   * Sends a message and waits for the end of the turn that takes it. Asked again with the same `id`, also by another
   * process or when the run has ended meanwhile, it gives the same answer.
   *
   * @throws RunEndedError when the run ended without answering it, RunTerminatedError, RunTimedOutError, NoWorkerError,
   * AnswerTimeoutError; what `send` throws
   */
  async ask(content: Content, options: AskOptions = {}): Promise<Answer> {
    const id = options.id ?? randomUUID();
    const { timeoutMs } = options;
    const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const key = `${this.id} ${this.#firstRunId ?? ''} ${options.waitForWorker ?? false}`;
    const following = this.#following(options);
    // A message with a new id is answered behind what has happened so far; another may have been sent long ago.
    const from =
      options.id === undefined
        ? (answersReadFrom(this.#client, key) ??
          (await this.#untilClosed(() => this.#newestSeq(following.watch))))
        : 0;
    try {
      await this.send(content, { id, ...(options.interrupt ? { interrupt: true } : {}) });
    } catch (error) {
      // It may have been answered before the run ended.
      if (options.id === undefined || !(error instanceof RunEndedError)) throw error;
    }
    const answers = answersOf(this.#client, key, { ...following, id: this.id, from });
    try {
      return await this.#untilClosed(() => answers.to(id, deadline));
    } catch (error) {
      if (deadline?.aborted && error === deadline.reason)
        throw new AnswerTimeoutError(this.id, id, timeoutMs ?? 0);
      throw error;
    }
  }

  /** Asks the run to end; `result()` then resolves with stop reason `cancelled`. A run that has ended stays as it is. */
  async cancel(): Promise<void> {
    await this.#untilClosed(async () => {
      try {
        await this.temporal.cancel();
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await this.#latest(); // Throws when there is no such run at all.
      }
    });
  }

  /** Where the run stands. */
  async state(): Promise<RunState> {
    return await this.#untilClosed(async () => this.#reader.state((await this.#latest()).runId));
  }

  /**
   * The whole conversation so far. Runs that it went on from are deleted when Temporal's retention time is over; then a system
   * message says how many messages went with them.
   */
  async transcript(): Promise<Message[]> {
    return await this.#untilClosed(async () => {
      const { runId } = await this.#latest();
      const messages: Message[] = [];
      for await (const message of this.#reader.transcript(runId)) messages.push(message);
      return messages;
    });
  }

  /**
   * What happens in the run, until it has ended. `from` is the `seq` of the last entry that is known already (default 0:
   * from the start); whoever keeps the last `seq` it has handled goes on there after a restart, without gap or repeat, as long as
   * Temporal keeps the runs that the conversation went on from (its retention time). `signal` ends the following, without an
   * error.
   *
   * @throws NoWorkerError
   */
  async *events(
    options: { from?: number; signal?: AbortSignal } & WaitOptions = {},
  ): AsyncGenerator<LogEntry, void, void> {
    const { from = 0, signal } = options;
    const entries = follow({
      ...this.#following(options),
      from,
      ...(signal === undefined ? {} : { signal }),
    });
    yield* eachUntilClosed(this.#client, this.id, entries);
  }

  async describe(): Promise<RunDescription> {
    const { runId, status, taskQueue, memo, startedAt, closedAt } = await this.#untilClosed(this.#latest);
    const text = (field: string) =>
      typeof memo[`turnloop.${field}`] === 'string' ? { [field]: memo[`turnloop.${field}`] as string } : {};
    return {
      id: this.id,
      runId,
      ...text('agent'),
      ...text('title'),
      metadata: { ...(memo['turnloop.metadata'] as Record<string, string> | undefined) },
      status,
      taskQueue,
      startedAt,
      ...(closedAt === undefined ? {} : { closedAt }),
    };
  }

  readonly #latest = (): Promise<Execution> => latestExecution(this.#client, this.id, this.#firstRunId);

  #untilClosed<T>(work: () => Promise<T>): Promise<T> {
    return untilClosed(this.#client, this.id, work);
  }

  async #newestSeq(watch: WorkerWatch | undefined): Promise<number> {
    const execution = await this.#latest();
    await watch?.check(execution);
    return (await this.#reader.state(execution.runId)).events;
  }

  #following({ waitForWorker = false }: WaitOptions) {
    return {
      reader: this.#reader,
      latest: this.#latest,
      ...(waitForWorker ? {} : { watch: new WorkerWatch(this.#client, this.id) }),
    };
  }

  async #signal(payload: unknown, messageId: string): Promise<void> {
    try {
      await this.temporal.signal<unknown[]>('inject', payload);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const { status } = await this.#latest();
      throw new RunEndedError(this.id, messageId, status, { cause: error });
    }
  }
}
