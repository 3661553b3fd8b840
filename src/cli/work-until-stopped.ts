import type { Server } from '../server/server.ts';
import { withAgentsModule } from './agents-module.ts';
import type { Terminal } from './command.ts';
import type { OpenWorkerOptions } from './open-worker.ts';
import type { RuntimeLog } from './runtime.ts';
import { whenAborted } from './when-aborted.ts';

/** What is up when work begins. */
export interface Ready {
  address: string;
  namespace: string;
  /** Absent when nobody knows where the UI is. */
  uiUrl: string | undefined;
  taskQueue: string;
  /** Names of the module's agents. */
  agents: string[];
}

/** How a command that is a worker goes about it. */
export interface Work {
  /** File of the agents. Default: the usual one. */
  module: string | undefined;
  log: Omit<RuntimeLog, 'write'>;
  /** Finds the server, or starts one; it is stopped behind the work. */
  server(): Promise<Server>;
  worker: OpenWorkerOptions;
  /** `Ready` as a line of JSON instead of lines of text. */
  json: boolean;
  /** Lines of text that say what is up and what to do now. */
  readyLines(ready: Ready): string[];
  /** Line that says what the end waits for, when the user stops the command. Default: none. */
  stoppingLine?: string;
}

/**
 * Runs a worker for a module's agents until the user stops the command, then ends everything in reverse. Resolves to exit
 * code 0; rejects when something is configured wrongly, and when the worker fails.
 */
export async function workUntilStopped(terminal: Terminal, work: Work): Promise<number> {
  // What is wrong with the module shows before anything is connected to.
  return await withAgentsModule(work.module, async (module) => {
    const { installRuntime } = await import('./runtime.ts');
    const { openWorker } = await import('./open-worker.ts');
    const { out, err, signal } = terminal;
    installRuntime({ ...work.log, write: err });
    const server = await work.server();
    try {
      const opened = await openWorker(module, server, terminal, work.worker);
      try {
        const { address, namespace, uiUrl } = server;
        const agents = module.agents.map((agent) => agent.name);
        const ready = { address, namespace, uiUrl, taskQueue: opened.taskQueue, agents };
        if (work.json) out(JSON.stringify({ ready: true, ...ready }));
        else for (const line of [...opened.about, ...work.readyLines(ready)]) out(line);
        await Promise.race([whenAborted(signal), opened.failed]);
      } catch (thrown) {
        if (!signal.aborted) throw thrown;
        if (!work.json && work.stoppingLine !== undefined) out(work.stoppingLine);
      } finally {
        await opened.stop();
      }
    } finally {
      await server.stop();
    }
    return 0;
  });
}
