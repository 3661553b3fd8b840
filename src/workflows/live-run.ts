import { CancellationScope, condition, setCurrentDetails, sleep } from '@temporalio/workflow';
import { nextStep, apply, wantsInterrupt, type RunEvent, type Step } from '../core/turn.ts';
import type { Stop } from '../core/after-stop.ts';
import type { Run } from '../core/run.ts';
import { detailsOf } from './details.ts';

/** An event without its time, which is the workflow's clock (deterministic in replay). */
type Happened = RunEvent extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never;

/** The run while it is live: its state, and what asks it to stop. */
export class LiveRun {
  run: Run;
  /** What is in flight runs in it, and ends with it; the loop goes on in another one. */
  scope = CancellationScope.current();
  #onStop: ((why: Stop) => void) | undefined;
  #cancelRequested = false;
  #timeIsUp = false;
  #clockRuns = false;

  constructor(run: Run) {
    this.run = run;
    this.#startClock();
  }

  next(): Step {
    return nextStep(this.run);
  }

  happened(event: Happened): void {
    const { log } = this.run;
    this.run = apply(this.run, { ...event, at: Date.now() } as RunEvent);
    if (this.run.log !== log) setCurrentDetails(detailsOf(this.run));
    this.#startClock();
  }

  requestCancel(): void {
    this.#cancelRequested = true;
  }

  /** Why what is in flight has to end now, if it has to. */
  stopWanted(): Stop | undefined {
    if (this.#cancelRequested && !this.run.cancelled) return 'cancelled';
    if (this.#timeIsUp && !this.run.timeUp) return 'time-up';
    return wantsInterrupt(this.run) ? 'interrupted' : undefined;
  }

  /** Names who is told, once, that what is in flight has to end. */
  onStop(told: ((why: Stop) => void) | undefined): void {
    this.#onStop = told;
  }

  /** Tells of stops from now on; to be called in a scope that is never cancelled. */
  async watchStops(): Promise<void> {
    for (;;) {
      await condition(() => this.#onStop !== undefined && this.stopWanted() !== undefined);
      const [told, why] = [this.#onStop, this.stopWanted()];
      // A condition resolves a moment later: what ended in it may have taken the stop with it.
      if (told === undefined || why === undefined) continue;
      this.#onStop = undefined;
      told(why);
    }
  }

  /** A time limit is known once a turn has recorded it; it counts from the start of the run. */
  #startClock(): void {
    const timeoutMs = this.run.limits?.timeoutMs;
    if (timeoutMs === undefined || this.#clockRuns) return;
    this.#clockRuns = true;
    const leftMs = Math.max(1, this.run.startedAt + timeoutMs - Date.now());
    void CancellationScope.nonCancellable(() => sleep(leftMs)).then(() => {
      this.#timeIsUp = true;
    });
  }
}
