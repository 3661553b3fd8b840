import type { RunInput } from '../../src/contract.ts';
import { carried, mayCarry } from '../../src/core/carry.ts';
import { restored } from '../../src/core/restore.ts';
import { newRun, type Run } from '../../src/core/run.ts';
import { apply, nextStep, wantsInterrupt, type RunEvent, type Step } from '../../src/core/turn.ts';

/** The core as the shell sees it; given as an argument, so that a broken one can be simulated too. */
export interface Core {
  newRun(input: RunInput, rules: number, at: number): Run;
  nextStep(run: Run): Step;
  apply(run: Run, event: RunEvent): Run;
  wantsInterrupt(run: Run): boolean;
  mayCarry(run: Run): boolean;
  carried(run: Run, runId: string, at: number, inlineBytesMax?: number): unknown;
  restored(state: unknown): Run;
}

export const core: Core = { newRun, nextStep, apply, wantsInterrupt, mayCarry, carried, restored };
