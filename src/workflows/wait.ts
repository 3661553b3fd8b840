import { condition } from '@temporalio/workflow';
import type { LiveRun } from './live-run.ts';

/** Waits for the next message of a conversation that is kept open. */
export async function waitForMessage(live: LiveRun, forMs: number): Promise<void> {
  const came = await condition(() => live.next().kind !== 'wait' || live.stopWanted() !== undefined, forMs);
  const stop = live.stopWanted();
  if (stop !== undefined) live.happened({ kind: stop });
  else if (!came) live.happened({ kind: 'waited-out' });
}
