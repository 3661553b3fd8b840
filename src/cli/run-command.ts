import { didYouMean } from '../tools/closest.ts';
import type { Command, Terminal } from './command.ts';

/** Exit code for a wrong call of a command. */
const usageExitCode = 2;

/** Finds the command that `argv` (without node and script) names, runs it, and turns whatever happens into an exit code. */
export async function runCommand(
  argv: string[],
  commands: Command[],
  version: string,
  terminal: Terminal,
): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(overview(commands));
    return name === undefined ? usageExitCode : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(version);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const names = commands.map((candidate) => candidate.name);
    terminal.err(
      `turnloop has no command "${name}".${didYouMean(name, names)} Commands: ${names.join(', ')}.`,
    );
    return usageExitCode;
  }
  // What stands behind `--` is no option.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  if (own.includes('--help') || own.includes('-h')) {
    terminal.out(command.help);
    return 0;
  }
  try {
    return await command.run(args, terminal);
  } catch (thrown) {
    if (terminal.signal.aborted) return exitCodeOf(terminal.signal.reason);
    const { code, name: kind, message, stack } = thrown as NodeJS.ErrnoException;
    const usage = kind === 'UsageError' || String(code).startsWith('ERR_PARSE_ARGS');
    terminal.err(message ?? String(thrown));
    if (usage) terminal.err(`See turnloop ${command.name} --help.`);
    else if (terminal.env['DEBUG'] !== undefined && stack !== undefined) terminal.err(stack);
    return usage ? usageExitCode : 1;
  }
}

/** 128 + the signal's number, as shells have it; the signal stands in the reason of the abort. */
function exitCodeOf(reason: unknown): number {
  return (reason as { signal?: string } | null)?.signal === 'SIGTERM' ? 143 : 130;
}

function overview(commands: Command[]): string {
  return [
    'turnloop: durable tool-calling agents on Temporal',
    '',
    ...commands.map((command) => `  turnloop ${command.name.padEnd(8)} ${command.summary}`),
    '',
    '  turnloop <command> --help, turnloop --version',
  ].join('\n');
}
