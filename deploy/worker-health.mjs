/**
 * Health check of a worker's container: exit code 0 when this container's worker asks Temporal for work, 1 with the reason
 * otherwise. `node worker-health.mjs [task queue]`; default: turnloop. The server is the one of Temporal's own environment.
 */
import { hostname } from 'node:os';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** A poll waits up to 60 s for work, and is seen by the server when it begins. */
const quietMsMax = 90_000;
const deadlineMs = 10_000;

const taskQueue = process.argv[2] ?? 'turnloop';
// As the worker reads them: an empty value is the same as none.
const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars: set });
// Not what the worker may want of its server: the check has to be short.
const connection = Connection.lazy(connectionOptions);
try {
  const { pollers } = await connection.withDeadline(Date.now() + deadlineMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: 1, // workflow tasks
    }),
  );
  // A worker's identity is `<process id>@<host name>`, and a container has a host name of its own.
  const own = (pollers ?? []).filter(({ identity }) => identity?.endsWith(`@${hostname()}`));
  const newest = Math.max(...own.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000));
  if (Date.now() - newest > quietMsMax) {
    console.error(`No worker of ${hostname()} polls task queue ${taskQueue} in namespace ${namespace}.`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`Temporal at ${connectionOptions.address} can't be asked: ${String(error)}`);
  process.exitCode = 1;
} finally {
  await connection.close();
}
