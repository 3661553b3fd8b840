import type { Command, OptionSpec } from './command.ts';

/** `turnloop send <id> <message> [options]` */
export function usageOf(command: Command): string {
  const args = command.args.map(({ name, optional }) => (optional === true ? `[${name}]` : `<${name}>`));
  return ['turnloop', command.name, ...args].join(' ');
}

/** The whole help text of a command. */
export function helpOf(command: Command): string {
  const args = command.args.map(({ name, help }): [string, string] => [`<${name}>`, help]);
  const options = Object.entries(command.options).map(([name, option]): [string, string] => [
    labelOf(name, option),
    option.help,
  ]);
  return [
    `${usageOf(command)}${options.length > 0 ? ' [options]' : ''}`,
    '',
    ...command.about,
    ...block('', args),
    ...block('Options', options),
    '',
    'Examples',
    ...command.examples.map(([line, what]) => `  turnloop ${line}${what === '' ? '' : `   # ${what}`}`),
    '',
    `Exit code ${command.exits ?? '0: done. 1: it failed'}.`,
    '          2: wrong call. 130, 143: stopped by Ctrl-C, by SIGTERM.',
  ].join('\n');
}

/** The list of commands. */
export function overviewOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'turnloop: durable tool-calling agents on Temporal',
    '',
    ...commands.map(({ name, summary }) => `  turnloop ${name.padEnd(width)}  ${summary}`),
    '',
    'The Temporal server is the one of TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE, TEMPORAL_API_KEY …) or of a profile in',
    "Temporal's TOML file; else the one that `turnloop dev` keeps in .turnloop/; else 127.0.0.1:7233.",
    '',
    '  turnloop <command> --help, turnloop --version',
  ].join('\n');
}

export const labelOf = (name: string, { type, value }: OptionSpec): string =>
  type === 'boolean' ? `--${name}` : `--${name} <${value ?? 'value'}>`;

/** Two columns; a left side that is long gets a line of its own. */
function block(title: string, rows: [string, string][]): string[] {
  if (rows.length === 0) return [];
  const width = Math.min(26, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
  return ['', ...(title === '' ? [] : [title]), ...lines];
}
