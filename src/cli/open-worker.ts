import { NativeConnection } from '@temporalio/worker';
import type { Server } from '../server/server.ts';
import { createAgentWorker, defaultTaskQueue } from '../worker.ts';
import type { AgentsModule } from './agents-module.ts';
import { chooseModels } from './choose-models.ts';
import type { Terminal } from './command.ts';

/** A worker with a module's agents, in this process. */
export interface OpenWorker {
  taskQueue: string;
  /** Lines that say which model answers, and with what data. */
  about: string[];
  /** Rejects when the worker fails; never resolves. */
  failed: Promise<never>;
  /** Takes no new work, lets what is in flight end within the grace time, and frees everything. May be called twice. */
  stop(): Promise<void>;
}

export interface OpenWorkerOptions {
  /** Default: the module's, else `turnloop`. */
  taskQueue?: string | undefined;
  /** How long what is in flight may go on after `stop`. Default: the module's, else 30 s. */
  shutdownGraceTime?: '5s';
  /** Whether the module's scripted model may play the model when none is configured. */
  scripted: boolean;
}

/** Opens a worker on the server. Temporal's runtime has to be set up before, if it should be other than its default. */
export async function openWorker(
  module: AgentsModule,
  server: Server,
  terminal: Terminal,
  options: OpenWorkerOptions,
): Promise<OpenWorker> {
  const taskQueue = options.taskQueue ?? module.worker?.taskQueue ?? defaultTaskQueue;
  // Ended in reverse, each even when the one before failed to end.
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const end of ends.splice(0).toReversed())
      await end().catch((thrown: unknown) => failures.push(thrown));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const { models, about, stop: stopModels } = await chooseModels(module, terminal.env, options);
    ends.push(stopModels);
    const connection = await NativeConnection.connect(server.connectOptions);
    ends.push(() => connection.close());
    const { shutdownGraceTime } = options;
    const worker = await createAgentWorker({
      ...module.worker,
      agents: module.agents,
      models,
      connection,
      namespace: server.namespace,
      taskQueue,
      ...(shutdownGraceTime === undefined
        ? {}
        : { temporal: { ...module.worker?.temporal, shutdownGraceTime } }),
    });
    const running = worker.run();
    // A worker that fails makes its runs wait for ever: whoever follows one has to hear of it.
    const failed = running.then(() => new Promise<never>(() => {}));
    failed.catch(() => {});
    ends.push(async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    });
    return { taskQueue, about: [...about, ...(module.about ?? [])], failed, stop };
  } catch (thrown) {
    await stop().catch(() => {}); // what went wrong first is what counts
    throw thrown;
  }
}
