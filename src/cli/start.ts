import { parseArgs } from 'node:util';
import type { RunResult } from '../contract.ts';
import type { LogEntry } from '../core/log.ts';
import type { Server, StartServerOptions } from '../server/server.ts';
import { type AgentsModule, loadAgentsModule } from './agents-module.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { paintFor } from './paint.ts';
import { progressLines } from './progress.ts';
import { runLink } from './run-link.ts';

/** A run that was started. */
export interface StartedRun {
  /** Workflow id. */
  id: string;
  runId?: string;
  events(): AsyncIterable<LogEntry>;
  result(): Promise<RunResult>;
}

/** A worker with an agent on it. */
export interface Workplace {
  /** Lines that say which model answers, and with what data. */
  about: string[];
  /** Rejects when the worker fails; never resolves. */
  failed: Promise<never>;
  start(question: string): Promise<StartedRun>;
  stop(): Promise<void>;
}

export interface StartParts {
  startServer(options: StartServerOptions): Promise<Server>;
  openWorkplace(module: AgentsModule, server: Server, terminal: Terminal): Promise<Workplace>;
}

const help = [
  'turnloop start ["<question>"] [--agents <file>] [--stay] [--db <file>]',
  '',
  'Finds or starts a Temporal server, starts a worker, asks the first agent a question and shows the progress of the run.',
  '',
  '  --agents <file>  module that exports `agents`; default: the analyst example',
  '  --stay           keep server and worker up afterwards, until Ctrl-C',
  '  --db <file>      database of the embedded server; default: .turnloop/temporal.db',
].join('\n');

/** The command with its parts; `turnloop.ts` gives the real ones. */
export function startCommand(parts: StartParts): Command {
  return {
    name: 'start',
    summary: 'runs the analyst example: server, worker, question, answer',
    help,
    async run(args, terminal) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { stay: { type: 'boolean' }, db: { type: 'string' }, agents: { type: 'string' } },
      });
      if (positionals.length > 1) {
        throw new UsageError(
          'start takes one question; put it in quotes: turnloop start "Which region grew fastest?"',
        );
      }
      const { startServer, openWorkplace } = parts;
      const { env, signal, out } = terminal;
      const module = await loadAgentsModule(values.agents);
      const question = positionals[0]?.trim() || module.question;
      if (question === undefined)
        throw new UsageError('These agents come with no question of their own: give one.');
      const server = await startServer({
        log: out,
        env,
        signal,
        ...(values.db === undefined ? {} : { dbFile: values.db }),
      });
      try {
        signal.throwIfAborted();
        const workplace = await openWorkplace(module, server, terminal);
        try {
          for (const line of workplace.about) out(line);
          const ok = await ask(workplace, question, server, terminal);
          if (values.stay !== true && server.embedded && server.uiUrl !== undefined) {
            out('       The UI ends with this command; with --stay it stays up until Ctrl-C.');
          }
          if (values.stay === true) await stay(server, terminal, workplace.failed);
          return ok ? 0 : 1;
        } finally {
          await workplace.stop();
        }
      } finally {
        await server.stop();
      }
    },
  };
}

async function ask(
  workplace: Workplace,
  question: string,
  server: Server,
  terminal: Terminal,
): Promise<boolean> {
  const { out, signal } = terminal;
  const paint = paintFor(process.stdout, terminal.env);
  signal.throwIfAborted();
  const run = await workplace.start(question);
  out(`\n${paint('bold', 'Question')}  ${question}\n`);
  try {
    const seen: LogEntry[] = [];
    const broken = Promise.race([whenAborted(signal), workplace.failed]);
    broken.catch(() => {}); // seen by whoever races against it
    const events = run.events()[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([events.next(), broken]);
      if (next.done === true) break;
      for (const line of progressLines(next.value, seen, paint)) out(line);
      seen.push(next.value);
    }
    const result = await Promise.race([run.result(), broken]);
    out(`\n${paint('bold', 'Answer')}  ${result.text}\n`);
    if (result.error !== undefined) terminal.err(`${result.error.type}: ${result.error.message}`);
    for (const chart of chartPaths(seen)) out(`Chart  ${chart}`);
    out(`Run    ${runLink(server, run) ?? `${run.id} (namespace ${server.namespace} at ${server.address})`}`);
    return result.stopReason === 'completed';
  } catch (thrown) {
    if (signal.aborted)
      out(`\nStopped. Run ${run.id} is not lost: the next worker on this server goes on with it.`);
    throw thrown;
  }
}

/** Files that tools reported having drawn. */
export function chartPaths(entries: readonly LogEntry[]): string[] {
  const paths = entries.flatMap((entry) =>
    entry.kind === 'call-settled' && entry.outcome.status === 'ok'
      ? [...entry.outcome.text.matchAll(/[^\s"'`()]+\.svg\b/g)].map(([path]) => path)
      : [],
  );
  return [...new Set(paths)];
}

async function stay(server: Server, terminal: Terminal, failed: Promise<never>): Promise<void> {
  terminal.out(
    `\nServer and worker stay up${server.uiUrl === undefined ? '' : ` (UI: ${server.uiUrl})`}; Ctrl-C ends them.`,
  );
  await Promise.race([whenAborted(terminal.signal), failed]);
}

/** Rejects when the user stops the command. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  promise.catch(() => {}); // whoever races against it sees the rejection; nobody may be racing at the moment
  return promise;
}
