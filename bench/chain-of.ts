import type { Client } from '@temporalio/client';
import type { temporal as proto } from '@temporalio/proto';

/** One history; a run that continues as a new one has several. */
export interface MeasuredHistory {
  status: string;
  events: number;
  /** As the server counts them, `historySizeBytes`. */
  bytes: number;
  /** When each activity of a tool ended, ms since the epoch. */
  toolsEndedAt: number[];
  /** What it says of its end, when that isn't completion. */
  close?: string;
}

/** The histories of a run in order, from the first one on. */
export async function chainOf(
  temporal: Client,
  workflowId: string,
  firstRunId: string,
): Promise<MeasuredHistory[]> {
  const chain: MeasuredHistory[] = [];
  for (let runId: string | null | undefined = firstRunId; runId;) {
    const { history, next } = await historyOf(temporal, workflowId, runId);
    chain.push(history);
    runId = next;
  }
  return chain;
}

async function historyOf(
  temporal: Client,
  workflowId: string,
  runId: string,
): Promise<{ history: MeasuredHistory; next: string | undefined }> {
  const { status, raw } = await temporal.workflow.getHandle(workflowId, runId).describe();
  const info = raw.workflowExecutionInfo;
  const history: MeasuredHistory = {
    status: status.name,
    events: Number(info?.historyLength),
    bytes: Number(info?.historySizeBytes),
    toolsEndedAt: [],
  };
  const tools = new Set<string>();
  let next: string | undefined;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await temporal.workflowService.getWorkflowExecutionHistory({
      namespace: temporal.options.namespace,
      execution: { workflowId, runId },
      // Small pages: with the whole prompt in each event, a few events are megabytes.
      maximumPageSize: 20,
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    });
    for (const event of page.history?.events ?? []) {
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (/^(lookup|look|floorTool)$/.test(scheduled?.activityType?.name ?? ''))
        tools.add(String(event.eventId));
      if (tools.has(String(event.activityTaskCompletedEventAttributes?.scheduledEventId)))
        history.toolsEndedAt.push(msOf(event.eventTime));
      next ??= event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
      const close = closeOf(event);
      if (close !== undefined) history.close = close;
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return { history, next };
}

const msOf = (time: proto.api.history.v1.IHistoryEvent['eventTime']): number =>
  Number(time?.seconds) * 1_000 + (time?.nanos ?? 0) / 1e6;

function closeOf(event: proto.api.history.v1.IHistoryEvent): string | undefined {
  const failure = event.workflowExecutionFailedEventAttributes?.failure;
  return failure?.message ?? event.workflowExecutionTerminatedEventAttributes?.reason ?? undefined;
}
