import {
  NativeConnection,
  Worker,
  type NativeConnectionOptions,
  type WorkerOptions,
} from '@temporalio/worker';
import { defaultTaskQueue, temporalConfig } from './temporal-config.ts';
import type { AgentPluginOptions } from './worker/agent-options.ts';
import { AgentPlugin } from './worker/agent-plugin.ts';
import { workflowsPath } from './worker/workflows-path.ts';

export { defaultTaskQueue, AgentPlugin, workflowsPath };
export { defaultStoreDirectory, localStore } from './worker/local-store.ts';
export type { AgentPluginOptions };

export interface AgentWorkerOptions extends AgentPluginOptions {
  /** Default: `turnloop`. */
  taskQueue?: string;
  /** Default: one of its own, by Temporal's environment variables and TOML file, that is closed when the worker ends. */
  connection?: NativeConnection;
  /** Default: by Temporal's configuration where the connection is too, else `default`. */
  namespace?: string;
  /** A bundle made by Temporal's `bundleWorkflowCode` from `workflowsPath`. Default: bundled when the worker starts. */
  workflowBundle?: WorkerOptions['workflowBundle'];
  /** Further options of Temporal's worker; they go before ours. */
  temporal?: Partial<WorkerOptions>;
}

/**
 * A Temporal worker that runs agents: `Worker.create` with `AgentPlugin`. `run()` it; `shutdown()` lets what is in flight
 * end within 30 s.
 *
 * @throws TypeError or Error that names the field and the remedy: two agents or tools clash, no model is configured, …
 */
export async function createAgentWorker(options: AgentWorkerOptions): Promise<Worker> {
  const { taskQueue, connection, namespace, workflowBundle, temporal, ...agents } = options;
  const plugin = new AgentPlugin(agents);
  const config = connection === undefined ? temporalConfig() : undefined;
  const own = config && (await connected(config.connection as NativeConnectionOptions));
  const chosen = namespace ?? config?.namespace;
  try {
    return await Worker.create({
      connection: connection ?? own!,
      ...(chosen === undefined ? {} : { namespace: chosen }),
      taskQueue: taskQueue ?? defaultTaskQueue,
      ...(workflowBundle === undefined ? {} : { workflowBundle }),
      ...temporal,
      plugins: [plugin, ...(own ? [closing(own)] : []), ...(temporal?.plugins ?? [])],
    });
  } catch (error) {
    await own?.close();
    throw error;
  }
}

async function connected(options: NativeConnectionOptions): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    throw new Error(
      `no Temporal server answers at ${options.address} (${(error as Error | null)?.message ?? String(error)}): start it, ` +
        "or correct the address (TEMPORAL_ADDRESS, or the profile in Temporal's configuration file)",
      { cause: error },
    );
  }
}

/** Closes the worker's own connection behind its run. */
const closing = (connection: NativeConnection) => ({
  name: 'turnloop-connection',
  async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    try {
      await next(worker);
    } finally {
      await connection.close();
    }
  },
});
