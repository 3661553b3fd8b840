import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;

export async function eventsOf(run: { temporal: WorkflowHandle }): Promise<HistoryEvent[]> {
  return (await run.temporal.fetchHistory()).events ?? [];
}

export const textOf = (payload: Payload | null | undefined): string =>
  Buffer.from(payload?.data ?? []).toString('utf8');

/** Names of event types as the server writes them, such as `WORKFLOW_TASK_FAILED`. */
export const typesOf = (events: HistoryEvent[]): string[] =>
  events.map(({ eventType }) =>
    temporal.api.enums.v1.EventType[eventType ?? 0]!.replace(/^EVENT_TYPE_/u, ''),
  );

/** Every payload of a history as text, wherever in an event it stands. */
export function payloadsOf(events: HistoryEvent[]): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    const { data, metadata } = value as { data?: unknown; metadata?: unknown };
    if (metadata !== undefined && ArrayBuffer.isView(data)) found.push(textOf(value as Payload));
    else for (const inner of Object.values(value)) walk(inner);
  };
  events.forEach(walk);
  return found;
}

export interface RecordedActivity {
  type: string;
  summary: string;
  /** Bytes of the arguments and of the result. */
  bytes: number;
  /** Type of the failure it ended with. */
  failure?: string;
}

/** The activities of a history in the order they were scheduled. */
export function activitiesOf(events: HistoryEvent[]): RecordedActivity[] {
  const byId = new Map<string, RecordedActivity>();
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const completed = event.activityTaskCompletedEventAttributes;
    const failed = event.activityTaskFailedEventAttributes;
    if (scheduled) {
      byId.set(String(event.eventId), {
        type: scheduled.activityType?.name ?? '',
        summary: textOf(event.userMetadata?.summary),
        bytes: sizeOf(scheduled.input),
      });
    }
    const ended = byId.get(String((completed ?? failed)?.scheduledEventId));
    if (ended && completed) ended.bytes += sizeOf(completed.result);
    const failure = failed?.failure?.applicationFailureInfo?.type;
    if (ended && failure) ended.failure = failure;
  }
  return [...byId.values()];
}

const sizeOf = (payloads: temporal.api.common.v1.IPayloads | null | undefined): number =>
  (payloads?.payloads ?? []).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
