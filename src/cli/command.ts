/** What a command talks through. Tests give their own. */
export interface Terminal {
  out(line: string): void;
  /** For what is not the result: progress of a search, errors. */
  err(line: string): void;
  env: NodeJS.ProcessEnv;
  /** Fires at Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/** One command of `turnloop`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The whole help text. */
  help: string;
  /** Runs it with the arguments behind its name; resolves to the exit code. */
  run(args: string[], terminal: Terminal): Promise<number>;
}

/** A command was called wrongly: its message goes to the user as it is, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
