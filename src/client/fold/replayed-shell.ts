import { ActivityFailure, RetryState } from '@temporalio/common';
import type { ContextRef, ModelReply, OpenedTurn, RunToolInput, ToolOutcome } from '../../contract.ts';
import type { Stop } from '../../core/after-stop.ts';
import type { Run } from '../../core/run.ts';
import { apply, nextStep, wantsInterrupt, type RunEvent } from '../../core/turn.ts';
import {
  activityError,
  failedOutcome,
  failedRequestsOf,
  isContextMissing,
} from '../../workflows/failures.ts';
import { messageEvent } from './message-event.ts';
import type { Command, Ended, Job, WorkflowTask } from './workflow-tasks.ts';

type Happened = RunEvent extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never;

/** What the shell of the workflow awaits. */
type Flight = { stopped?: Stop; graceOver?: boolean } & (
  | { kind: 'opening' | 'model' | 'context'; scheduledId?: string; ended?: Ended }
  /** `lost`: calls that were stopped before they could say anything. */
  | { kind: 'calls'; indexOf: Map<string, number>; lost: Set<number>; round: string }
  | { kind: 'wait'; over?: boolean }
);

/**
 * The shell of the workflow (`workflows/`) once more, over recorded tasks instead of Temporal's runtime: what it awaits is
 * looked up, what it tells the core is the same. A change of when the shell tells the core what belongs here too; the
 * tests compare both over every golden history.
 */
export class ReplayedShell {
  run: Run;
  #at = 0;
  #flight: Flight | undefined;
  #cancelRequested = false;
  #timeIsUp = false;
  #clockWanted = false;
  /** Timers that the shell has started and the history hasn't shown yet, then those it has, by id. */
  #timersWanted: { purpose: Purpose; ms: number }[] = [];
  readonly #timers = new Map<string, Purpose>();

  constructor(run: Run) {
    this.run = run;
  }

  take({ at, jobs, commands }: WorkflowTask): void {
    this.#at = at;
    this.#timersWanted = [];
    this.#wantClock();
    for (const job of jobs) this.#job(job);
    this.#advance();
    for (const command of commands) this.#command(command);
  }

  #job(job: Job): void {
    switch (job.kind) {
      case 'signal': {
        const event = messageEvent(job.payload, `signal-${job.eventId}`);
        if (event) this.#happened(event);
        break;
      }
      case 'cancel':
        this.#cancelRequested = true;
        break;
      case 'timer':
        this.#timerFired(this.#timers.get(job.timerId));
        break;
      case 'ended':
        this.#activityEnded(job.scheduledId, job.ended);
    }
  }

  #command(command: Command): void {
    const flight = this.#flight;
    switch (command.kind) {
      case 'scheduled':
        if (flight?.kind === 'calls') {
          const index = Number((command.input as RunToolInput).key.split('/').at(-1));
          flight.indexOf.set(command.scheduledId, index);
          this.#happened({ kind: 'call-started', index });
        } else if (flight && flight.kind !== 'wait') {
          flight.scheduledId = command.scheduledId;
        }
        break;
      case 'timer-started': {
        const wanted = this.#timersWanted.findIndex(({ ms }) => ms === command.ms);
        const [timer] = wanted < 0 ? [] : this.#timersWanted.splice(wanted, 1);
        if (timer) this.#timers.set(command.timerId, timer.purpose);
      }
    }
  }

  #timerFired(purpose: Purpose | undefined): void {
    const flight = this.#flight;
    if (purpose === 'clock') this.#timeIsUp = true;
    if (purpose === 'grace' && flight) flight.graceOver = true;
    if (purpose === 'wait' && flight?.kind === 'wait' && !this.#waitIsOver()) flight.over = true;
  }

  #activityEnded(scheduledId: string, ended: Ended): void {
    const flight = this.#flight;
    if (flight && 'scheduledId' in flight && flight.scheduledId === scheduledId) flight.ended = ended;
    if (flight?.kind !== 'calls') return;
    const index = flight.indexOf.get(scheduledId);
    const { phase } = this.run.turn ?? {};
    const name = phase?.at === 'running' ? phase.calls[index ?? -1]?.name : undefined;
    if (index === undefined || name === undefined) return;
    if (isCancelled(ended)) {
      flight.lost.add(index);
    } else if ('value' in ended) {
      this.#happened({
        kind: 'call-settled',
        index,
        outcome: ended.value as ToolOutcome,
        recorded: true,
      });
    } else {
      const outcome = failedOutcome(name, asActivityFailure(ended.error));
      this.#happened({ kind: 'call-settled', index, outcome, recorded: false });
    }
  }

  /** Goes from step to step until something has to be awaited. */
  #advance(): void {
    for (;;) {
      if (this.#flight && !this.#landed(this.#flight)) return;
      this.#flight = undefined;
      const step = nextStep(this.run);
      if (step.kind === 'finish') return;
      if (step.kind === 'open-turn') this.#flight = { kind: 'opening' };
      else if (step.kind === 'wait') {
        this.#flight = { kind: 'wait' };
        this.#timersWanted.push({ purpose: 'wait', ms: step.forMs });
      } else {
        const before = this.#stopWanted();
        if (before !== undefined) {
          this.#happened({ kind: before });
          continue;
        }
        if (step.kind === 'call-model') {
          this.#happened({ kind: 'model-called' });
          this.#flight = { kind: 'model' };
        } else if (step.kind === 'load-context') {
          this.#flight = { kind: 'context' };
        } else {
          const round = this.#round();
          this.#flight = { kind: 'calls', indexOf: new Map(), lost: new Set(), round };
        }
      }
    }
  }

  /** Whether what is in flight has ended; what follows from that is told to the core. */
  #landed(flight: Flight): boolean {
    if (flight.kind === 'wait') return this.#waited(flight);
    if (!this.#settled(flight)) {
      if (flight.stopped === undefined) {
        const stop = this.#stopWanted();
        if (stop === undefined) return false;
        flight.stopped = stop;
        const ms = this.run.limits?.cancelGraceMs ?? 1_000;
        this.#timersWanted.push({ purpose: 'grace', ms });
      }
      // What a turn was to be opened with no longer matters.
      if (!flight.graceOver && flight.kind !== 'opening') return false;
    }
    switch (flight.kind) {
      case 'opening':
        this.#opened(flight);
        break;
      case 'model':
        this.#modelEnded(flight);
        break;
      case 'context':
        this.#contextEnded(flight);
        break;
      case 'calls':
        if (flight.stopped !== undefined && this.#stopWanted() === flight.stopped)
          this.#happened({ kind: flight.stopped });
    }
    return true;
  }

  #settled(flight: Flight): boolean {
    if (flight.kind === 'wait') return false;
    if (flight.kind !== 'calls') return flight.ended !== undefined;
    const { phase } = this.run.turn ?? {};
    if (phase?.at !== 'running' || this.#round() !== flight.round) return true;
    return phase.calls.every(
      (call) =>
        call.outcome || flight.lost.has(call.index) || (flight.stopped !== undefined && !call.started),
    );
  }

  #waited(flight: Extract<Flight, { kind: 'wait' }>): boolean {
    if (!flight.over && !this.#waitIsOver()) return false;
    const stop = this.#stopWanted();
    if (stop !== undefined) this.#happened({ kind: stop });
    else if (flight.over) this.#happened({ kind: 'waited-out' });
    return true;
  }

  #waitIsOver(): boolean {
    return nextStep(this.run).kind !== 'wait' || this.#stopWanted() !== undefined;
  }

  #opened({ stopped, ended }: Awaited): void {
    if (stopped !== undefined) return this.#happened({ kind: stopped });
    if (ended === undefined || ended === 'cancelled') return;
    const opened: OpenedTurn =
      'value' in ended
        ? (ended.value as OpenedTurn)
        : { digest: '', error: activityError(asActivityFailure(ended.error), 'turn_not_opened') };
    this.#happened({ kind: 'turn-opened', opened });
  }

  #modelEnded({ stopped, ended }: Awaited): void {
    const reply = typeof ended === 'object' && 'value' in ended ? (ended.value as ModelReply) : undefined;
    if (reply && (stopped === undefined || !reply.interrupted))
      return this.#happened({ kind: 'model-replied', reply });
    if (reply && stopped !== undefined) return this.#happened({ kind: stopped, partial: reply });
    const error = typeof ended === 'object' && 'error' in ended ? asActivityFailure(ended.error) : undefined;
    if (stopped !== undefined) {
      const failedRequests = error === undefined ? 0 : failedRequestsOf(error);
      return this.#happened({ kind: stopped, ...(failedRequests === 0 ? {} : { failedRequests }) });
    }
    if (error === undefined) return;
    if (isContextMissing(error) && this.run.base !== undefined)
      return this.#happened({ kind: 'context-missing' });
    this.#happened({
      kind: 'model-failed',
      error: activityError(error, 'model_call_failed'),
      failedRequests: failedRequestsOf(error),
    });
  }

  #contextEnded({ stopped, ended }: Awaited): void {
    if (stopped !== undefined) return this.#happened({ kind: stopped });
    if (typeof ended !== 'object') return;
    if ('value' in ended)
      return this.#happened({ kind: 'context-loaded', context: ended.value as ContextRef });
    const error = asActivityFailure(ended.error);
    if (isContextMissing(error)) return this.#happened({ kind: 'context-missing' });
    this.#happened({ kind: 'model-failed', error: activityError(error, 'context_not_loaded') });
  }

  #happened(event: Happened): void {
    this.run = apply(this.run, { ...event, at: this.#at } as RunEvent);
    this.#wantClock();
  }

  #stopWanted(): Stop | undefined {
    if (this.#cancelRequested && !this.run.cancelled) return 'cancelled';
    if (this.#timeIsUp && !this.run.timeUp) return 'time-up';
    return wantsInterrupt(this.run) ? 'interrupted' : undefined;
  }

  #wantClock(): void {
    const timeoutMs = this.run.limits?.timeoutMs;
    if (timeoutMs === undefined || this.#clockWanted) return;
    this.#clockWanted = true;
    const ms = Math.max(1, this.run.startedAt + timeoutMs - this.#at);
    this.#timersWanted.push({ purpose: 'clock', ms });
  }

  #round(): string {
    return `${this.run.turn?.n}/${this.run.turn?.iteration}`;
  }
}

type Awaited = Extract<Flight, { kind: 'opening' | 'model' | 'context' }>;

type Purpose = 'clock' | 'grace' | 'wait';

const isCancelled = (ended: Ended): ended is 'cancelled' =>
  ended === 'cancelled' || ('error' in ended && ended.error?.name === 'CancelledFailure');

/** The history holds the cause only; the workflow saw it wrapped. */
const asActivityFailure = (cause: Error | undefined): ActivityFailure =>
  new ActivityFailure('Activity task failed', '', undefined, RetryState.IN_PROGRESS, undefined, cause);
