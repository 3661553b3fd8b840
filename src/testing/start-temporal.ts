import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  type Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { AgentClient } from '../client.ts';
import type { Server } from '../server/server.ts';
import { startServer } from '../server/start-server.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { createAgentWorker, workflowsPath, type AgentWorkerOptions } from '../worker.ts';

type Bundle = NonNullable<WorkerOptions['workflowBundle']>;

export interface StartTemporalOptions {
  /** host:port of a server that runs already, which is used and left running. Default: a new one in memory. */
  address?: string;
  /** Takes the lines about the search for a Temporal CLI and the server's start. Default: nobody. */
  log?: (line: string) => void;
  /** A bundle made from `workflowsPath` of `turnloop/worker`. Default: made here, once for all workers. */
  workflowBundle?: Bundle;
}

export type TestWorkerOptions = Omit<AgentWorkerOptions, 'connection' | 'namespace'>;

/** A Temporal server for tests, with what is connected to it. */
export interface TestTemporal {
  /** host:port of the gRPC service. */
  address: string;
  namespace: string;
  /** Base of the Temporal UI, where a run of a test can be looked at as long as the server runs. */
  uiUrl?: string;
  client: AgentClient;
  /**
   * Starts a worker in this process, with a store in memory unless one is given. Give each test a task queue of its own when
   * several have workers at the same time. `stop` lets what is in flight end.
   */
  startWorker(options: TestWorkerOptions): Promise<{ stop(): Promise<void> }>;
  /** Ends the workers, the client's connection and, if it was started here, the server. */
  stop(): Promise<void>;
}

/**
 * A real Temporal server for tests, in memory, on free ports: `temporal` on PATH, else the SDK's download. It
 * ends with this process at the latest. Once a test file is enough.
 *
 * ```ts
 * const temporal = await startTemporal();
 * await temporal.startWorker({ agents, models: model.models });
 * const run = await temporal.client.start('adder', 'What is 2 + 3?');
 * await temporal.stop();
 * ```
 *
 * @throws ServerError that names the remedies, when no Temporal CLI can be found or fetched
 */
export async function startTemporal(options: StartTemporalOptions = {}): Promise<TestTemporal> {
  onlyWarnings();
  // The bundle takes as long as the server's start: both at once. Without it no worker starts, so nobody waits for nothing.
  const [server, workflowBundle] = await bothOrNone<
    Pick<Server, 'address' | 'namespace' | 'uiUrl' | 'stop'>,
    Bundle
  >(
    options.address === undefined
      ? startServer({ log: options.log ?? (() => {}), dbFile: false, useConfigured: false })
      : Promise.resolve({ address: options.address, namespace: 'default', stop: async () => {} }),
    options.workflowBundle
      ? Promise.resolve(options.workflowBundle)
      : bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }),
  );
  const { address, namespace } = server;
  const client = await AgentClient.connect({ address, namespace }).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const workers = new Set<{ stop(): Promise<void> }>();

  return {
    address,
    namespace,
    ...(server.uiUrl !== undefined && { uiUrl: server.uiUrl }),
    client,
    async startWorker(given) {
      const worker = await startedWorker(address, namespace, workflowBundle, given);
      workers.add(worker);
      return worker;
    },
    async stop() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await client.close();
      await server.stop();
    },
  };
}

/** A server that nobody gets to stop must not go on. */
async function bothOrNone<S extends { stop(): Promise<void> }, T>(
  starting: Promise<S>,
  bundling: Promise<T>,
): Promise<[S, T]> {
  const [server, bundle] = await Promise.allSettled([starting, bundling]);
  if (server.status === 'rejected') throw server.reason;
  if (bundle.status === 'fulfilled') return [server.value, bundle.value];
  await server.value.stop();
  throw bundle.reason;
}

async function startedWorker(
  address: string,
  namespace: string,
  workflowBundle: Bundle,
  options: TestWorkerOptions,
): Promise<{ stop(): Promise<void> }> {
  // Core refuses a second worker of the same task queue on one connection.
  const connection = await NativeConnection.connect({ address });
  const worker = await createAgentWorker({
    store: memoryStore(),
    workflowBundle,
    ...options,
    connection,
    namespace,
  }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const ended = ranAndClosed(worker, connection);
  // Who stops the worker hears of it; until then it is nobody's unhandled rejection.
  ended.catch(() => {});
  let stopped = false;
  return {
    async stop() {
      if (!stopped && worker.getState() === 'RUNNING') worker.shutdown();
      stopped = true;
      await ended;
    },
  };
}

async function ranAndClosed(worker: Worker, connection: NativeConnection): Promise<void> {
  try {
    await worker.run();
  } finally {
    await connection.close();
  }
}

/** The SDK tells of every worker's states; in a test only what is wrong is of interest. */
function onlyWarnings(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  } catch (error) {
    // There is one a process, and somebody has set it up already: theirs stays.
    if ((error as { name?: string } | null)?.name !== 'IllegalStateError') throw error;
  }
}
