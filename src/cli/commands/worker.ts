import { defineCommand } from '../command.ts';
import { taskQueueOption } from '../options.ts';
import { workUntilStopped } from '../work-until-stopped.ts';

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
    'task-queue': taskQueueOption,
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
    return await workUntilStopped(terminal, {
      module: args.module,
      log: { level, json },
      async server() {
        const { findServer } = await import('../find-server.ts');
        return await findServer(terminal);
      },
      worker: { taskQueue, scripted: false },
      json,
      readyLines: ({ agents, ...ready }) => {
        const where = `task queue ${ready.taskQueue}, namespace ${ready.namespace} at ${ready.address}`;
        return [`Worker ready: ${agents.join(', ')} on ${where}`];
      },
      stoppingLine: 'Stopping: what is in flight may take up to 30 s; Ctrl-C again ends at once.',
    });
  },
});
