import type { Server } from '../../server/server.ts';
import { type AgentsModule, withAgentsModule } from '../agents-module.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { whenAborted } from '../when-aborted.ts';

export const dev = defineCommand({
  name: 'dev',
  summary: 'a Temporal server with UI and a worker for your agents, until Ctrl-C',
  about: [
    'Finds or starts a Temporal server (its runs are kept in .turnloop/) and runs a worker with the agents of a module. The',
    'other commands, called in the same folder, find this server.',
  ],
  args: [
    {
      name: 'module',
      help: 'file that exports `agents`; default: ./agents.ts, else the analyst example',
      optional: true,
    },
  ],
  options: {
    'task-queue': { type: 'string', value: 'name', help: "default: the module's, else turnloop" },
    db: {
      type: 'string',
      value: 'file',
      help: 'database of the embedded server; default: .turnloop/temporal.db',
    },
    json: { type: 'boolean', help: 'one line of JSON when everything is up' },
  },
  examples: [
    ['dev ./my-agents.ts', 'then, in another terminal:'],
    ['run my-agent "Hello"', 'asks the agent'],
  ],
  exits: '0: stopped by Ctrl-C or SIGTERM. 1: something is configured wrongly, or it failed',
  async run({ args, options }, terminal) {
    const { 'task-queue': taskQueue, db, json = false } = options;
    return await withAgentsModule(args.module, async (module) => {
      const { installRuntime } = await import('../runtime.ts');
      const { startServer } = await import('../../server/start-server.ts');
      const { env, signal, out, err } = terminal;
      installRuntime({ level: 'warn', write: err });
      const log = json ? err : out;
      const server = await startServer({ log, env, signal, ...(db === undefined ? {} : { dbFile: db }) });
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
  const worker = await openWorker(module, server, terminal, {
    taskQueue: wantedQueue,
    shutdownGraceTime: '5s', // a person waits for it
    scripted: true,
  });
  try {
    const agents = module.agents.map((agent) => agent.name);
    const { address, namespace, uiUrl } = server;
    const { taskQueue, about } = worker;
    if (json) out(JSON.stringify({ ready: true, address, namespace, uiUrl, taskQueue, agents }));
    else {
      for (const line of about) out(line);
      out(`Worker ready: ${agents.join(', ')} on task queue ${taskQueue}`);
      out(`Ask one from another terminal in this folder: turnloop run ${agents[0]} "…"`);
      out(`${uiUrl === undefined ? '' : `UI: ${uiUrl}. `}Ctrl-C ends what runs here.`);
    }
    await Promise.race([whenAborted(signal), worker.failed]);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    await worker.stop();
  }
}
