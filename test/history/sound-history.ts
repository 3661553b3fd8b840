import type { WorkflowHandle } from '@temporalio/client';
import { replayHistory } from '../../src/replay.ts';
import { typesOf } from '../e2e/history.ts';
import { testServer } from '../setup/test-server.ts';

/** What a history shows that nothing has troubled: no task failed, no payload over 1 MB, and it replays. */
export async function expectSound(run: { temporal: WorkflowHandle }): Promise<void> {
  const { temporal } = run;
  const history = await temporal.fetchHistory();
  const events = history.events ?? [];
  expect(typesOf(events)).not.toContain('WORKFLOW_TASK_FAILED');
  const sizes = events.flatMap((event) =>
    [
      event.activityTaskScheduledEventAttributes?.input,
      event.activityTaskCompletedEventAttributes?.result,
      event.workflowExecutionStartedEventAttributes?.input,
      event.workflowExecutionSignaledEventAttributes?.input,
      event.workflowExecutionCompletedEventAttributes?.result,
    ].flatMap((payloads) => (payloads?.payloads ?? []).map(({ data }) => data?.length ?? 0)),
  );
  expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(1_000_000);
  expect(await replayHistory(history, testServer().workflowBundle)).toEqual({
    ok: true,
    events: events.length,
  });
}
