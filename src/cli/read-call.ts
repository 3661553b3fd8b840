import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { type Command, UsageError } from './command.ts';
import { usageOf } from './help.ts';

/** Reads the words behind a command's name. Throws a UsageError, or parseArgs' own error, when they don't fit. */
export function readCall(command: Command, words: string[]): { args: object; options: object } {
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
  const required = command.args.filter((arg) => arg.optional !== true);
  if (positionals.length < required.length) {
    const missing = required.slice(positionals.length).map((arg) => `<${arg.name}>`);
    throw new UsageError(`${missing.join(' and ')} missing: ${usageOf(command)}`);
  }
  if (positionals.length > command.args.length) {
    const text = command.args.some((arg) => arg.name === 'message') ? ' Put the message in quotes.' : '';
    throw new UsageError(
      `"${positionals[command.args.length]}" is one argument too many: ${usageOf(command)}.${text}`,
    );
  }
  for (const [name, { choices }] of Object.entries(command.options)) {
    const value = values[name];
    if (choices !== undefined && typeof value === 'string' && !choices.includes(value))
      throw new UsageError(`--${name} is "${value}". Possible: ${choices.join(', ')}.`);
  }
  for (const [at, { name, choices }] of command.args.entries()) {
    const value = positionals[at];
    if (choices !== undefined && value !== undefined && !choices.includes(value))
      throw new UsageError(`<${name}> is "${value}". Possible: ${choices.join(', ')}.`);
  }
  return {
    args: Object.fromEntries(command.args.map(({ name }, at) => [name, positionals[at]])),
    options: values,
  };
}
