import { defineCommand } from '../command.ts';
import { taskQueueOption } from '../options.ts';
import { workUntilStopped } from '../work-until-stopped.ts';

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
    'task-queue': taskQueueOption,
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
    const { env, signal, out, err } = terminal;
    return await workUntilStopped(terminal, {
      module: args.module,
      log: { level: 'warn' },
      async server() {
        const { startServer } = await import('../../server/start-server.ts');
        const log = json ? err : out;
        return await startServer({ log, env, signal, ...(db === undefined ? {} : { dbFile: db }) });
      },
      worker: { taskQueue, shutdownGraceTime: '5s', scripted: true }, // a person waits for its end
      json,
      readyLines: (ready) => [
        `Worker ready: ${ready.agents.join(', ')} on task queue ${ready.taskQueue}`,
        `Ask one from another terminal in this folder: turnloop run ${ready.agents[0]} "…"`,
        `${ready.uiUrl === undefined ? '' : `UI: ${ready.uiUrl}. `}Ctrl-C ends what runs here.`,
      ],
    });
  },
});
