import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';

/** A run as a list shows it. */
export interface ListedRun {
  id: string;
  runId: string;
  agent?: string;
  title?: string;
  /** In Temporal's words, small: `running`, `completed`, `timed-out` … */
  status: string;
  /** ISO 8601. */
  started: string;
  ended?: string;
}

export interface ListOptions {
  status?: string | undefined;
  agent?: string | undefined;
  limit: number;
}

const pageSizeMax = 200;

/** Temporal's numbers for a status (temporal.api.enums.v1.WorkflowExecutionStatus). */
const statusNames = [
  '',
  'running',
  'completed',
  'failed',
  'canceled',
  'terminated',
  'continued',
  'timed-out',
  'paused',
];
const queryNames: Record<string, string> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
  terminated: 'Terminated',
  'timed-out': 'TimedOut',
};

/**
 * The newest runs first. Read raw: the SDK's own list throws as a whole on one memo that can't be decoded. The parts of a
 * chain that continued as new are left out, its current part stands for all.
 */
export async function listRuns(client: Client, { status, agent, limit }: ListOptions): Promise<ListedRun[]> {
  const query = [
    `WorkflowType = 'agentWorkflow'`,
    status === undefined
      ? `ExecutionStatus != 'ContinuedAsNew'`
      : `ExecutionStatus = '${queryNames[status] ?? status}'`,
  ].join(' AND ');
  const runs: ListedRun[] = [];
  let nextPageToken: Uint8Array | null | undefined;
  while (runs.length < limit) {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query,
      pageSize: pageSizeMax,
      ...(nextPageToken == null ? {} : { nextPageToken }),
    });
    for (const info of page.executions ?? []) {
      const memo = info.memo?.fields ?? {};
      const name = await decoded(client, memo['turnloop.agent']);
      // Temporal can't filter by memo, and a search attribute has to be registered by an operator.
      if (agent !== undefined && name !== agent) continue;
      const title = await decoded(client, memo['turnloop.title']);
      const ended = optionalTsToDate(info.closeTime);
      runs.push({
        id: info.execution?.workflowId ?? '',
        runId: info.execution?.runId ?? '',
        ...(name === undefined ? {} : { agent: name }),
        ...(title === undefined ? {} : { title }),
        status: statusNames[info.status ?? 0] ?? String(info.status),
        started: optionalTsToDate(info.startTime)?.toISOString() ?? '',
        ...(ended === undefined ? {} : { ended: ended.toISOString() }),
      });
    }
    nextPageToken = page.nextPageToken;
    if (nextPageToken == null || nextPageToken.length === 0) break;
  }
  return runs.slice(0, limit);
}

async function decoded(client: Client, payload: Payload | null | undefined): Promise<string | undefined> {
  if (payload == null) return undefined;
  try {
    const value: unknown = await decodeFromPayloadsAtIndex(client.options.loadedDataConverter, 0, [payload]);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // written with a codec that this command doesn't have: the run is listed without it
  }
}
