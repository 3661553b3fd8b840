import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

/** How long an embedded server keeps closed runs. The dev server's own default is 1 day. */
const retention = '30 days';

/** Makes sure that the namespace exists and keeps closed runs for 30 days. */
export async function keepRuns(connection: Connection, namespace: string): Promise<void> {
  const config = { workflowExecutionRetentionTtl: msToTs(retention) };
  const service = connection.workflowService;
  try {
    await service.updateNamespace({ namespace, config });
  } catch (thrown) {
    // gRPC status 5 is NOT_FOUND: a server of another process that was started for another namespace.
    if ((thrown as { code?: unknown }).code !== 5) throw thrown;
    await service.registerNamespace({ namespace, ...config });
  }
}
