import { Worker } from 'node:worker_threads';

/** What goes to a thread, and what comes back: `ready` once, then one reply a request. */
export interface ThreadRequest {
  id: number;
  body: unknown;
}
export type ThreadReply =
  | { ready: true }
  | { id: number; value: unknown }
  /** `broken`: the thread can't answer anything after this and is to be replaced. */
  | { id: number; error: Record<string, unknown>; broken?: boolean };

/** Why a request got no reply. `timeout`: its time was up; `crashed`: the thread died or can't go on. */
export class ThreadError extends Error {
  readonly reason: 'timeout' | 'crashed';
  constructor(reason: 'timeout' | 'crashed', message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ThreadError';
    this.reason = reason;
  }
}

interface Running {
  worker: Worker;
  ready: Promise<void>;
}

/**
 * A worker thread for work that would block the main one, whose heartbeats must go on. It starts with the first request,
 * takes one at a time, keeps no process alive while it has none, and is replaced after a time-out, a cancellation or a
 * crash: ending the thread is the only way to stop WebAssembly that runs.
 */
export class WorkThread {
  readonly #script: URL;
  readonly #data: unknown;
  #running: Running | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #isClosed = false;

  constructor(script: URL, data: unknown) {
    this.#script = script;
    this.#data = data;
  }

  /**
   * Resolves to the thread's reply. `timeoutMs` counts from when the thread takes the request, not while it starts or
   * works for others. Rejects with `ThreadError`, the signal's reason, or the error that the thread reported.
   */
  request<T>(body: unknown, { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal }): Promise<T> {
    const turn = this.#last.then(() => this.#ask<T>(body, timeoutMs, signal));
    this.#last = turn.catch(() => undefined); // whoever asked hears of it; the next one only waits
    return orAborted(turn, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #ask<T>(body: unknown, timeoutMs: number, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new ThreadError('crashed', 'the thread is closed');
    const running = (this.#running ??= this.#start());
    running.worker.ref();
    try {
      await orAborted(running.ready, signal);
      return await this.#reply<T>(running.worker, body, timeoutMs, signal);
    } catch (error) {
      const isOrdinary = (error as { isReported?: boolean } | undefined)?.isReported === true;
      if (!isOrdinary) await this.#end();
      throw error;
    } finally {
      running.worker.unref();
    }
  }

  #start(): Running {
    const worker = new Worker(this.#script, { workerData: this.#data });
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', (reply: ThreadReply) => 'ready' in reply && resolve());
      worker.once('error', (error) => reject(crashed(error)));
      worker.once('exit', () => reject(crashed()));
    });
    ready.catch(() => undefined); // heard by the request that waits for it
    return { worker, ready };
  }

  #reply<T>(worker: Worker, body: unknown, timeoutMs: number, signal: AbortSignal | undefined): Promise<T> {
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      const onMessage = (reply: ThreadReply): void => {
        if (!('id' in reply) || reply.id !== id) return;
        settle(() => ('error' in reply ? reject(reported(reply)) : resolve(reply.value as T)));
      };
      const onError = (error: unknown): void => settle(() => reject(crashed(error)));
      const onExit = (): void => settle(() => reject(crashed()));
      const onAbort = (): void => settle(() => reject(signal?.reason));
      const onTimeout = (): void =>
        settle(() => reject(new ThreadError('timeout', `no reply within ${timeoutMs} ms`)));
      const timer = setTimeout(onTimeout, timeoutMs);
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        finish();
      };
      signal?.addEventListener('abort', onAbort);
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage({ id, body } satisfies ThreadRequest);
    });
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.worker.terminate();
  }
}

const crashed = (cause?: unknown): ThreadError =>
  new ThreadError('crashed', (cause as Error | undefined)?.message ?? 'the thread ended', cause);

/** An error that the thread told of, with the fields it sent. */
function reported({ error, broken }: { error: Record<string, unknown>; broken?: boolean }): Error {
  if (broken) return crashed(error);
  const { message, ...fields } = error;
  return Object.assign(new Error(String(message)), fields, { isReported: true });
}

/** A request that waits for its turn, or for the thread to start, hears of its cancellation at once. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
