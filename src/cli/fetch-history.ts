import { Client, Connection } from '@temporalio/client';
import { connectionForRuns } from '../connection/connection-options.ts';
import type { Server } from '../server/server.ts';

/** The history of a run, from the server. Rejects with a clear error when the server knows no such run. */
export async function fetchHistory(
  server: Pick<Server, 'address' | 'namespace' | 'connectOptions'>,
  workflowId: string,
  runId?: string,
): Promise<unknown> {
  const connection = await Connection.connect(connectionForRuns(server.connectOptions));
  try {
    const client = new Client({ connection, namespace: server.namespace });
    return await client.workflow.getHandle(workflowId, runId).fetchHistory();
  } catch (thrown) {
    const { name, code } = thrown as { name?: unknown; code?: unknown };
    const invalidRunId = code === 3; // gRPC INVALID_ARGUMENT: the run id is no UUID
    if (name !== 'WorkflowNotFoundError' && code !== 5 && !invalidRunId) throw thrown;
    throw new Error(
      `No run with workflow id "${workflowId}"${runId === undefined ? '' : ` and run id "${runId}"`} in namespace ` +
        `${server.namespace} of the Temporal server at ${server.address}. Look in its UI, or give the path of an exported history.`,
      { cause: thrown },
    );
  } finally {
    await connection.close();
  }
}
