import type { LoadedDataConverter } from '@temporalio/common';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { temporal } from '@temporalio/proto';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads;
type Time = { seconds?: { toNumber(): number } | number | null; nanos?: number | null };

/** What a workflow task told the workflow. */
export type Job =
  | { kind: 'signal'; eventId: string; payload: unknown }
  | { kind: 'cancel' }
  | { kind: 'timer'; timerId: string }
  | { kind: 'ended'; scheduledId: string; ended: Ended };

/** How an activity ended. */
export type Ended = { value: unknown } | { error: Error | undefined } | 'cancelled';

/** What the workflow did in a task, as far as its history shows. */
export type Command =
  | { kind: 'scheduled'; scheduledId: string; type: string; input: unknown }
  | { kind: 'timer-started'; timerId: string; ms: number };

/** One workflow task that was completed: when, what came in, what went out. */
export interface WorkflowTask {
  at: number;
  jobs: Job[];
  commands: Command[];
}

/** A history as workflow tasks, its payloads decoded. What came in behind the last completed task is left out. */
export async function readTasks(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<WorkflowTask[]> {
  const tasks: WorkflowTask[] = [];
  let jobs: Job[] = [];
  let startedAt = 0;
  for (const event of events) {
    if (event.workflowTaskStartedEventAttributes) startedAt = msOf(event.eventTime);
    if (event.workflowTaskCompletedEventAttributes) {
      tasks.push({ at: startedAt, jobs: inOrder(jobs), commands: [] });
      jobs = [];
    }
    const job = await jobOf(event, converter);
    if (job) jobs.push(job);
    const command = await commandOf(event, converter);
    if (command) tasks.at(-1)?.commands.push(command);
  }
  return tasks;
}

/** A task's signals come first, whatever else happened before them: so does the SDK's core sort. */
const inOrder = (jobs: Job[]): Job[] => [
  ...jobs.filter((job) => job.kind === 'signal'),
  ...jobs.filter((job) => job.kind !== 'signal'),
];

async function jobOf(event: HistoryEvent, converter: LoadedDataConverter): Promise<Job | undefined> {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) {
    if (signal.signalName !== 'inject') return undefined;
    return { kind: 'signal', eventId: String(event.eventId), payload: await first(converter, signal.input) };
  }
  if (event.workflowExecutionCancelRequestedEventAttributes) return { kind: 'cancel' };
  const timer = event.timerFiredEventAttributes;
  if (timer) return { kind: 'timer', timerId: timer.timerId ?? '' };
  const completed = event.activityTaskCompletedEventAttributes;
  const failed = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
  const cancelled = event.activityTaskCanceledEventAttributes;
  const scheduledId = String((completed ?? failed ?? cancelled)?.scheduledEventId);
  if (completed)
    return { kind: 'ended', scheduledId, ended: { value: await first(converter, completed.result) } };
  if (failed) {
    const error = await decodeOptionalFailureToOptionalError(converter, failed.failure);
    return { kind: 'ended', scheduledId, ended: { error } };
  }
  return cancelled ? { kind: 'ended', scheduledId, ended: 'cancelled' } : undefined;
}

async function commandOf(event: HistoryEvent, converter: LoadedDataConverter): Promise<Command | undefined> {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    const type = scheduled.activityType?.name ?? '';
    return {
      kind: 'scheduled',
      scheduledId: String(event.eventId),
      type,
      // Of a tool's call only the key counts, of the library's own activities nothing: the run knows what they got.
      input: type.startsWith('turnloop.') ? undefined : await first(converter, scheduled.input),
    };
  }
  const timer = event.timerStartedEventAttributes;
  return timer
    ? { kind: 'timer-started', timerId: timer.timerId ?? '', ms: msOf(timer.startToFireTimeout) }
    : undefined;
}

async function first(
  converter: LoadedDataConverter,
  payloads: Payloads | null | undefined,
): Promise<unknown> {
  return (await decodeArrayFromPayloads(converter, payloads?.payloads))[0];
}

/** Milliseconds since the epoch, or of a duration. */
export function msOf(time: Time | null | undefined): number {
  const seconds = time?.seconds ?? 0;
  const whole = typeof seconds === 'number' ? seconds : seconds.toNumber();
  return whole * 1_000 + Math.floor((time?.nanos ?? 0) / 1_000_000);
}
