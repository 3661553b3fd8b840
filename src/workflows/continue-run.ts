import { continueAsNew, log, workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../contract.ts';
import { carried, mayCarry } from '../core/carry.ts';
import type { LiveRun } from './live-run.ts';

/** Events of a history that fetches, replays and shows quickly; the limits may set another bound. */
const historyEventsMax = 4_000;

/**
 * Goes on as a new run with an empty history when this one has grown, at a point where nothing is in flight. Handlers are
 * synchronous, so none is running, and a signal that arrives meanwhile makes the server run this task again.
 */
export function continueWhenGrown(live: LiveRun, input: RunInput): Promise<void> | undefined {
  const { continueAsNewSuggested, historyLength, runId } = workflowInfo();
  const eventsMax = live.run.limits?.historyEventsMax ?? historyEventsMax;
  if (!continueAsNewSuggested && historyLength < eventsMax) return undefined;
  if (!mayCarry(live.run) || live.stopWanted() !== undefined) return undefined;
  const state = carried(live.run, runId, Date.now());
  if (state === undefined) {
    log.warn('the run is too large to be continued as a new one for now', { historyLength });
    return undefined;
  }
  const { input: _, inputId: __, ...rest } = input;
  return continueAsNew({ ...rest, input: [], carried: state });
}
