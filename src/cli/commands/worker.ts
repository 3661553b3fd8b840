import { defineCommand, type Terminal } from '../command.ts';
import { type AgentsModule, withAgentsModule } from '../agents-module.ts';
import type { Server } from '../../server/server.ts';
import { whenAborted } from '../when-aborted.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

export const worker = defineCommand({
  name: 'worker',
  summary: 'runs a worker for your agents, until Ctrl-C or SIGTERM',
  about: [
    'Loads a module that exports `agents` (JavaScript or TypeScript) and works for their runs. Stops gracefully: takes no new',
    'work, lets what is in flight end within 30 s, then ends; a second Ctrl-C ends at once. Nothing is lost either way.',
  ],
  args: [
    {
      name: 'module',
      help: 'file that exports `agents`, and maybe `worker` with further options; default: ./agents.ts',
      optional: true,
    },
  ],
  options: {
    'task-queue': { type: 'string', value: 'name', help: "default: the module's, else turnloop" },
    'log-level': { type: 'string', value: 'level', help: 'default: info', choices: levels },
    json: { type: 'boolean', help: 'what it logs as lines of JSON, on standard error' },
  },
  examples: [
    ['worker ./my-agents.ts', 'works on the server of TEMPORAL_ADDRESS'],
    ['worker ./my-agents.ts --task-queue priority --json', 'for a log collector'],
  ],
  exits: '0: stopped by Ctrl-C or SIGTERM. 1: something is configured wrongly, or the worker failed',
  async run({ args, options }, terminal) {
    const { 'task-queue': taskQueue, 'log-level': level = 'info', json = false } = options;
    // What is wrong with the module shows before anything is connected to.
    return await withAgentsModule(args.module, async (module) => {
      const { installRuntime } = await import('../runtime.ts');
      const { findServer } = await import('../find-server.ts');
      installRuntime({ level, json, write: terminal.err });
      const server = await findServer(terminal);
      try {
        await work(module, server, terminal, taskQueue, json);
        return 0;
      } finally {
        await server.stop();
      }
    });
  },
});

/** Works until the user stops the command; rejects when the worker can't be opened or fails. */
async function work(
  module: AgentsModule,
  server: Server,
  terminal: Terminal,
  wantedQueue: string | undefined,
  json: boolean,
): Promise<void> {
  const { openWorker } = await import('../open-worker.ts');
  const { out, signal } = terminal;
  const opened = await openWorker(module, server, terminal, { taskQueue: wantedQueue, scripted: false });
  try {
    const { taskQueue, about } = opened;
    const { address, namespace } = server;
    const agents = module.agents.map((agent) => agent.name);
    if (json) out(JSON.stringify({ ready: true, address, namespace, taskQueue, agents }));
    else {
      for (const line of about) out(line);
      const where = `task queue ${taskQueue}, namespace ${namespace} at ${address}`;
      out(`Worker ready: ${agents.join(', ')} on ${where}`);
    }
    await Promise.race([whenAborted(signal), opened.failed]);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    if (!json) out('Stopping: what is in flight may take up to 30 s; Ctrl-C again ends at once.');
  } finally {
    await opened.stop();
  }
}
