import type { ClientPlugin, ConnectionOptions, ConnectionPlugin } from '@temporalio/client';
import type {
  BundleOptions,
  BundlerPlugin,
  ReplayWorkerOptions,
  WorkerOptions,
  WorkerPlugin,
} from '@temporalio/worker';
import { connectionForRuns } from '../connection/connection-options.ts';
import { agentActivities, type Activities } from './agent-activities.ts';
import type { AgentPluginOptions } from './agent-options.ts';
import { checkBundle } from './check-bundle.ts';
import { withOwnActivities } from './with-own-activities.ts';
import { writeWorkflowEntry } from './workflow-entry.ts';
import { workflowsPath } from './workflows-path.ts';

/**
 * The time-outs make a dead worker cost under 10 s: heartbeats reach the server every second, and a run is handed to
 * another worker 2 s after its own went silent (temporal-facts, "Stall, heartbeats, cancel"). What is in flight at a
 * shutdown gets 30 s. Idle runs in memory are bounded; the rest is replayed when something happens to them.
 */
const workerDefaults = {
  stickyQueueScheduleToStartTimeout: '2s',
  maxHeartbeatThrottleInterval: '500ms',
  defaultHeartbeatThrottleInterval: '500ms',
  shutdownGraceTime: '30s',
  maxCachedWorkflows: 500,
} as const;

/**
 * Agents for a Worker, and a Connection, that you already have:
 *
 * ```ts
 * const plugin = new AgentPlugin({ agents: [analyst] });
 * const worker = await Worker.create({ taskQueue, workflowsPath, activities, plugins: [plugin] });
 * const connection = await Connection.connect({ plugins: [plugin] });
 * ```
 *
 * The worker keeps its workflows, activities and options; the agents' are added. For a prebuilt bundle give the plugin to
 * `bundleWorkflowCode` too.
 *
 * @throws TypeError or Error that names the field and the remedy, already in the constructor; for a clash with the worker's
 * own activities or bundle in `Worker.create`
 */
export class AgentPlugin implements WorkerPlugin, BundlerPlugin, ClientPlugin, ConnectionPlugin {
  readonly name = 'turnloop';
  readonly #activities: Activities;

  constructor(options: AgentPluginOptions) {
    this.#activities = agentActivities(options).activities;
  }

  async configureWorker(options: WorkerOptions): Promise<WorkerOptions> {
    const activities = withOwnActivities((options.activities ?? {}) as Activities, this.#activities);
    return { ...workerDefaults, ...(await withWorkflows(options)), activities };
  }

  async configureReplayWorker(options: ReplayWorkerOptions): Promise<ReplayWorkerOptions> {
    return await withWorkflows(options);
  }

  configureBundler(options: BundleOptions): BundleOptions {
    if (options.workflowsPath === workflowsPath) return options;
    return { ...options, workflowsPath: writeWorkflowEntry(options.workflowsPath) };
  }

  configureConnection(options: ConnectionOptions): ConnectionOptions {
    return connectionForRuns(options);
  }
}

/** A worker without workflows gets ours; its own are joined with ours by the bundler; a bundle has to hold ours. */
async function withWorkflows<T extends Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>>(
  options: T,
): Promise<T> {
  if (options.workflowBundle !== undefined) {
    await checkBundle(options.workflowBundle);
    return options;
  }
  return options.workflowsPath === undefined ? { ...options, workflowsPath } : options;
}
