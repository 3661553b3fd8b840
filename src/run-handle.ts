import { WorkflowFailedError, type Client, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Content, InjectedMessage, Message, RunResult } from './contract.ts';
import type { LogEntry } from './core/log.ts';
import type { Page } from './core/page.ts';
import type { RunState } from './core/state.ts';

/** Between two looks at a run whose events are followed. */
const pollMs = 200;

/** One run of an agent. */
export class RunHandle {
  readonly id: string;
  readonly temporal: WorkflowHandle;
  readonly #client: Client;

  constructor(client: Client, handle: WorkflowHandle) {
    this.#client = client;
    this.temporal = handle;
    this.id = handle.workflowId;
  }

  /**
   * How the run ended, also when it was cancelled or ended with an error: then with what there is.
   *
   * @throws when the run was terminated, timed out or is unknown
   */
  async result(): Promise<RunResult> {
    try {
      return (await this.temporal.result()) as RunResult;
    } catch (error) {
      const result = await this.#resultIn(error);
      if (result === undefined) throw error;
      return result;
    }
  }

  /** Sends a message into the run; it is taken up at the loop's next boundary. The same `id` again is ignored. */
  async send(content: Content, options: { id?: string; interrupt?: boolean } = {}): Promise<void> {
    await this.temporal.signal<[InjectedMessage]>('inject', { ...options, content });
  }

  async cancel(): Promise<void> {
    await this.temporal.cancel();
  }

  async state(): Promise<RunState> {
    return await this.temporal.query<RunState, []>('state');
  }

  async transcript(): Promise<Message[]> {
    const messages: Message[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page: Page<Message> = await this.temporal.query<Page<Message>, [number]>('transcript', from);
      messages.push(...page.items);
      from = page.next;
    }
    return messages;
  }

  /** What happens in the run, from behind a `seq` on (default: from its start), until the run has ended. */
  async *events(options: { from?: number } = {}): AsyncGenerator<LogEntry, void, void> {
    let seen = options.from ?? 0;
    for (;;) {
      const running = await this.#isRunning();
      for (;;) {
        const page: Page<LogEntry> = await this.temporal.query<Page<LogEntry>, [number]>('events', seen);
        for (const entry of page.items) yield entry;
        seen = page.items.at(-1)?.seq ?? seen;
        if (page.next === undefined) break;
      }
      // Asked before the events were read, so nothing that came last is missed.
      if (!running) return;
      await sleep(pollMs);
    }
  }

  async #isRunning(): Promise<boolean> {
    return (await this.temporal.describe()).status.name === 'RUNNING';
  }

  async #resultIn(error: unknown): Promise<RunResult | undefined> {
    if (!(error instanceof WorkflowFailedError)) return undefined;
    const { cause } = error;
    if (cause instanceof ApplicationFailure) return cause.details?.[0] as RunResult | undefined;
    if (!(cause instanceof CancelledFailure)) return undefined;
    const { memo } = await this.temporal.describe();
    return memo?.['turnloop.result'] as RunResult | undefined;
  }
}
