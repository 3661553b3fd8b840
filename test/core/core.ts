import type { RunInput } from '../../src/contract.ts';
import type { Run } from '../../src/core/run.ts';
import type { RunEvent, Step } from '../../src/core/turn.ts';

/** The core as the shell sees it; given as an argument, so that a broken one can be simulated too. */
export interface Core {
  newRun(input: RunInput, rules: number, at: number): Run;
  nextStep(run: Run): Step;
  apply(run: Run, event: RunEvent): Run;
  wantsInterrupt(run: Run): boolean;
}
