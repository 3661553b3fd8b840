import type { Paint } from './paint.ts';

/** What a command talks through. Tests give their own. */
export interface Terminal {
  out(line: string): void;
  /** For what is not the result: progress of a search, errors. */
  err(line: string): void;
  /** All of standard input, as text. */
  input(): Promise<string>;
  env: NodeJS.ProcessEnv;
  paint: Paint;
  /** Shows a line that the next one replaces; undefined takes it away. Absent where nothing can be replaced. */
  live?: (line: string | undefined) => void;
  /** Fires at Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/** One positional argument; required ones stand first. */
export interface ArgumentSpec {
  name: string;
  help: string;
  optional?: boolean;
  /** What may stand there, for completion. */
  choices?: readonly string[];
}

/** One option, `--name` or `--name <value>`. */
export interface OptionSpec {
  type: 'boolean' | 'string';
  help: string;
  /** Placeholder of the value in the help; needed for strings. `file` and `folder` are completed as such. */
  value?: string;
  /** May stand several times; the value is then a list. */
  multiple?: boolean;
  choices?: readonly string[];
}

export type OptionSpecs = { readonly [name: string]: OptionSpec };

type ArgumentsOf<A extends readonly ArgumentSpec[]> = {
  [Spec in A[number] as Spec['name']]: Spec extends { optional: true } ? string | undefined : string;
};

type ValueOf<O extends OptionSpec> = O['type'] extends 'boolean'
  ? boolean | undefined
  : O extends { multiple: true }
    ? string[] | undefined
    : (O extends { choices: readonly (infer Choice)[] } ? Choice : string) | undefined;

/** What a command was called with. */
export interface Call<A extends readonly ArgumentSpec[], O extends OptionSpecs> {
  args: ArgumentsOf<A>;
  options: { [Name in keyof O]: ValueOf<O[Name]> };
}

export interface CommandSpec<A extends readonly ArgumentSpec[], O extends OptionSpecs> {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Paragraphs of the help text. */
  about: readonly string[];
  args: A;
  options: O;
  /** Command lines without the leading `turnloop`, and what each does. */
  examples: readonly (readonly [line: string, what: string])[];
  /** What the exit codes 0 and 1 mean; those of `exitCodes` hold for every command. */
  exits?: string;
  /** Resolves to the exit code. */
  run(call: Call<A, O>, terminal: Terminal): Promise<number>;
}

/** One command of `turnloop`, whatever it takes. */
export type Command = Omit<CommandSpec<readonly ArgumentSpec[], OptionSpecs>, 'run'> & {
  run(call: { args: object; options: object }, terminal: Terminal): Promise<number>;
};

/** Ties the types of `run` to the arguments and options that are declared. */
export function defineCommand<const A extends readonly ArgumentSpec[], const O extends OptionSpecs>(
  spec: CommandSpec<A, O>,
): Command {
  return spec as unknown as Command;
}

/** A command was called wrongly: its message goes to the user as it is, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
