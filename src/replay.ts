import { Worker, type ReplayWorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import { readDivergence } from './replay-divergence.ts';

/** A replay that went through, or where and why it did not. */
export type Replayed =
  | { ok: true; events: number }
  | {
      ok: false;
      /** What the history has and what the code wants, in words. */
      message: string;
      /** The event of the history at which the code wants something else; absent when the failure names none. */
      eventId?: number;
    };

/**
 * Replays a history against workflow code and says where it diverges. `history`: as `fetchHistory()` returns it, or the
 * parsed JSON the Temporal UI and CLI export (`{ "events": [...] }`). `workflows`: path of the workflow code, or a bundle.
 * Rejects with a TypeError when `history` is neither.
 */
export async function replayHistory(
  history: unknown,
  workflows: string | WorkflowBundleOption,
): Promise<Replayed> {
  const events = (history as { events?: unknown } | null)?.events;
  if (!Array.isArray(events) || events.length === 0) {
    throw new TypeError(
      'history.events is not a list of events. Give a history as fetchHistory() returns it, or the JSON file that the ' +
        'Temporal UI (Download) or `temporal workflow show --output json` exports.',
    );
  }
  const options: ReplayWorkerOptions =
    typeof workflows === 'string' ? { workflowsPath: workflows } : { workflowBundle: workflows };
  try {
    await Worker.runReplayHistory(options, history);
    return { ok: true, events: events.length };
  } catch (thrown) {
    const name = (thrown as { name?: unknown } | null)?.name;
    // Anything else (code that can't be bundled, say) is no finding about the history.
    if (name !== 'DeterminismViolationError' && name !== 'ReplayError') throw thrown;
    return { ok: false, ...readDivergence(String((thrown as Error).message), events) };
  }
}
