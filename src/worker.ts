import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { createActivities } from './activities/index.ts';
import { Contexts } from './activities/contexts.ts';
import { modelRegistry, modelsFromEnvironment } from './models/registry.ts';
import type { ModelClient } from './models/model.ts';
import { cachedStore } from './stores/cached-store.ts';
import { fileStore } from './stores/file-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import type { Store } from './stores/store.ts';
import type { Agent } from './tools/define-agent.ts';
import { readResultTool } from './tools/builtin/read-result.ts';
import { toolRegistry } from './tools/registry.ts';

/** Task queue of workers and clients that name none. */
export const defaultTaskQueue = 'turnloop';

/** Where the file store is when none is given, relative to the working directory. */
export const defaultStoreDirectory = '.turnloop/store';

/** Idle runs kept in a worker's memory; the rest is replayed when something happens to them. */
const cachedWorkflowsMax = 500;

export interface AgentWorkerOptions {
  agents: readonly Agent[];
  /** Model clients by provider; the first takes every model name without a provider. Default: from the environment. */
  models?: Readonly<Record<string, ModelClient>>;
  /** Default: files in `.turnloop/store`. Workers on several hosts want a shared one. */
  store?: Store;
  /** Default: `turnloop`. */
  taskQueue?: string;
  /** Default: the address in `TEMPORAL_ADDRESS`, or 127.0.0.1:7233. */
  connection?: NativeConnection;
  namespace?: string;
  /** A bundle made by Temporal's `bundleWorkflowCode` from `workflowsPath`. Default: bundled when the worker starts. */
  workflowBundle?: WorkerOptions['workflowBundle'];
  /** Whether activities may ask a run for what the store lost. Default: true. */
  recoverByQuery?: boolean;
  /** Further options of Temporal's worker; they go before ours. */
  temporal?: Partial<WorkerOptions>;
}

/** The module that a workflow bundle is made from. */
export const workflowsPath = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './workflows/index.ts' : './workflows/index.js', import.meta.url),
);

/**
 * A Temporal worker that runs agents. `run()` it; `shutdown()` lets what is in flight end within 30 s.
 *
 * The time-outs make a dead worker cost under 10 s: heartbeats reach the server every second, and a run is handed to
 * another worker 2 s after its own went silent (temporal-facts, "Stall, heartbeats, cancel").
 *
 * @throws TypeError when two agents or tools clash or no model is configured; each names the field and the remedy
 */
export async function createAgentWorker(options: AgentWorkerOptions): Promise<Worker> {
  const store = options.store ?? localStore();
  const registry = toolRegistry(options.agents, [readResultTool(store)]);
  const activities = createActivities({
    registry,
    models: modelRegistry(options.models ?? modelsFromEnvironment(process.env)),
    store,
    contexts: new Contexts(store),
    recoverByQuery: options.recoverByQuery ?? true,
  });
  const connection =
    options.connection ??
    (await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233' }));
  return await Worker.create({
    connection,
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    taskQueue: options.taskQueue ?? defaultTaskQueue,
    ...(options.workflowBundle === undefined
      ? { workflowsPath }
      : { workflowBundle: options.workflowBundle }),
    activities,
    stickyQueueScheduleToStartTimeout: '2s',
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: '30s',
    maxCachedWorkflows: cachedWorkflowsMax,
    ...options.temporal,
  });
}

/** Files, with the newest values in memory too. */
export const localStore = (directory: string = defaultStoreDirectory): Store =>
  cachedStore(memoryStore(), fileStore({ directory }));
