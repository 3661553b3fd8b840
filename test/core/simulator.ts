import type { Core } from './core.ts';
import { SimulatedShell } from './simulated-shell.ts';

/** What a simulated run met, to see that the simulator gets everywhere. */
export interface Simulated {
  events: number;
  seen: Set<string>;
}

/** Plays one run, all chance decided by the seed. Throws when an invariant doesn't hold, with the events that led there. */
export function simulate(seed: number, core: Core): Simulated {
  const shell = new SimulatedShell(seed, core);
  try {
    shell.play();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${shell.trace(seed)}`, { cause: error });
  }
  return { events: shell.events.length, seen: shell.seen };
}
