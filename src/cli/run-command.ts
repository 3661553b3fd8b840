import { didYouMean } from '../tools/closest.ts';
import type { Command, Terminal } from './command.ts';
import { helpOf, overviewOf } from './help.ts';
import { readCall } from './read-call.ts';

/** Exit code for a wrong call of a command. */
const usageExitCode = 2;

/** Finds the command that `argv` (without node and script) names, runs it, and turns whatever happens into an exit code. */
export async function runCommand(
  argv: string[],
  commands: readonly Command[],
  version: string,
  terminal: Terminal,
): Promise<number> {
  const [name, ...words] = argv;
  const asked = name === 'help' ? words[0] : name;
  if (asked === undefined || asked === '--help' || asked === '-h') {
    terminal.out(overviewOf(commands));
    return name === undefined ? usageExitCode : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(version);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === asked);
  if (command === undefined) {
    const names = commands.map((candidate) => candidate.name);
    terminal.err(
      `turnloop has no command "${asked}".${didYouMean(asked, names)} Commands: ${names.join(', ')}.`,
    );
    return usageExitCode;
  }
  // What stands behind `--` is no option.
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  if (name === 'help' || own.includes('--help') || own.includes('-h')) {
    terminal.out(helpOf(command));
    return 0;
  }
  try {
    return await command.run(readCall(command, words), terminal);
  } catch (thrown) {
    if (terminal.signal.aborted) return exitCodeOf(terminal.signal.reason);
    return fail(thrown, command, own.includes('--json'), terminal);
  }
}

/** Tells what went wrong, on standard error: as text, or as JSON where the result would have been JSON. */
function fail(thrown: unknown, command: Command, json: boolean, { err, env }: Terminal): number {
  const { code, name, message, stack } = thrown as NodeJS.ErrnoException;
  const usage = name === 'UsageError' || String(code).startsWith('ERR_PARSE_ARGS');
  if (json) err(JSON.stringify({ error: { name: name ?? 'Error', message: message ?? String(thrown) } }));
  else {
    err(message ?? String(thrown));
    if (usage) err(`See turnloop ${command.name} --help.`);
    else if (env['DEBUG'] !== undefined && stack !== undefined) err(stack);
  }
  return usage ? usageExitCode : 1;
}

/** 128 + the signal's number, as shells have it; the signal stands in the reason of the abort. */
function exitCodeOf(reason: unknown): number {
  return (reason as { signal?: string } | null)?.signal === 'SIGTERM' ? 143 : 130;
}
