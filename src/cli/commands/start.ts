import type { LogEntry } from '../../core/log.ts';
import type { Server } from '../../server/server.ts';
import { type AgentsModule, withAgentsModule } from '../agents-module.ts';
import { chartPaths } from '../chart-paths.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { follow } from '../follow.ts';
import type { OpenWorker } from '../open-worker.ts';
import { agentsOption, jsonOption } from '../options.ts';
import { runLink } from '../run-link.ts';
import { answerExits, showAnswer } from '../show-answer.ts';
import { whenAborted } from '../when-aborted.ts';

export const start = defineCommand({
  name: 'start',
  summary: 'everything at once: server, worker, a question, the answer',
  about: [
    'Finds or starts a Temporal server, starts a worker, asks the first agent a question and shows the progress of the run.',
  ],
  args: [{ name: 'message', help: "the question; default: the module's own", optional: true }],
  options: {
    agents: agentsOption,
    stay: { type: 'boolean', help: 'keep server and worker up afterwards, until Ctrl-C' },
    db: {
      type: 'string',
      value: 'file',
      help: 'database of the embedded server; default: .turnloop/temporal.db',
    },
    json: jsonOption,
  },
  examples: [
    ['start', "the analyst example, from turnloop's repository"],
    ['start "What is the weather in Oslo?" --agents ./my-agents.ts', ''],
  ],
  exits: answerExits,
  async run({ args, options }, terminal) {
    const { json = false, stay = false, db } = options;
    return await withAgentsModule(options.agents, async (module) => {
      const question = args.message?.trim() || module.question;
      if (question === undefined)
        throw new Error('These agents come with no question of their own: give one.');
      const { startServer } = await import('../../server/start-server.ts');
      const { env, signal, out, err } = terminal;
      const log = json ? err : out;
      const server = await startServer({ log, env, signal, ...(db === undefined ? {} : { dbFile: db }) });
      try {
        signal.throwIfAborted();
        return await work(module, question, server, terminal, { json, stay });
      } finally {
        await server.stop();
      }
    });
  },
});

async function work(
  module: AgentsModule,
  question: string,
  server: Server,
  terminal: Terminal,
  { json, stay }: { json: boolean; stay: boolean },
): Promise<number> {
  const { quietRuntime } = await import('../quiet-runtime.ts');
  const { openWorker } = await import('../open-worker.ts');
  quietRuntime();
  const out = json ? terminal.err : terminal.out;
  const worker = await openWorker(module, server, terminal, { shutdownGraceTime: '5s', scripted: true });
  try {
    for (const line of worker.about) out(line);
    const code = await ask(module.agents[0]!.name, question, worker, server, terminal, json);
    if (stay) await stayUp(server, { ...terminal, out }, worker.failed);
    else if (server.embedded && server.uiUrl !== undefined)
      out('       The UI ends with this command; with --stay it stays up until Ctrl-C.');
    return code;
  } finally {
    await worker.stop();
  }
}

async function ask(
  agent: string,
  question: string,
  worker: OpenWorker,
  server: Server,
  terminal: Terminal,
  json: boolean,
): Promise<number> {
  const { paint, signal } = terminal;
  const out = json ? terminal.err : terminal.out;
  signal.throwIfAborted();
  const { withClient } = await import('../with-client.ts');
  return await withClient(server, signal, async (client) => {
    const { taskQueue, failed } = worker;
    const run = await client.start(agent, question, { taskQueue });
    const { id } = run;
    const { runId } = await run.describe();
    out(`\n${paint('bold', 'Question')}  ${question}\n`);
    try {
      const seen: LogEntry[] = await follow(run, { ...terminal, out }, { failed });
      const result = await Promise.race([run.result(), whenAborted(signal), failed]);
      const code = showAnswer(result, { id, runId }, terminal, json);
      for (const chart of chartPaths(seen)) out(`Chart  ${chart}`);
      const where = `${id} (namespace ${server.namespace} at ${server.address})`;
      out(`Run    ${runLink(server, { id, runId }) ?? where}`);
      return code;
    } catch (thrown) {
      if (signal.aborted)
        out(`\nStopped. Run ${id} is not lost: the next worker on this server goes on with it.`);
      throw thrown;
    }
  });
}

async function stayUp(server: Server, terminal: Terminal, failed: Promise<never>): Promise<void> {
  terminal.out(
    `\nServer and worker stay up${server.uiUrl === undefined ? '' : ` (UI: ${server.uiUrl})`}; Ctrl-C ends them.`,
  );
  await Promise.race([whenAborted(terminal.signal), failed]);
}
