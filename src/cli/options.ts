import { msToNumber } from '@temporalio/common/lib/time.js';
import type { Terminal } from './command.ts';
import { UsageError } from './command.ts';

/** `--json` of commands that print one value. */
export const jsonOption = { type: 'boolean', help: 'one line of JSON instead of text' } as const;

export const agentsOption = {
  type: 'string',
  value: 'file',
  help: 'module that exports `agents`; default: ./agents.ts (or .mts, .js, .mjs), else the analyst example',
} as const;

/** Of commands that are a worker. */
export const taskQueueOption = {
  type: 'string',
  value: 'name',
  help: "default: the module's, else turnloop",
} as const;

export const messageArgument = { name: 'message', help: 'text, or - for standard input' } as const;
export const idArgument = { name: 'id', help: 'workflow id of the run' } as const;

/** A message as it stands on the command line, or standard input. */
export async function readMessage(text: string, { input }: Terminal): Promise<string> {
  const message = text === '-' ? await input() : text;
  if (message.trim() === '')
    throw new UsageError('The message is blank. Give text, or - and text on standard input.');
  return message;
}

/** `90s`, `10m`, `2h`, `1d` or a number of ms, as ms. */
export function readDuration(option: string, text: string): number {
  try {
    const ms = msToNumber(/^\d+$/.test(text) ? Number(text) : (text as `${number}ms`));
    if (Number.isFinite(ms) && ms >= 0) return ms;
  } catch {
    // Not understood: the error below says what is.
  }
  throw new UsageError(`--${option} is "${text}". Give a duration such as 90s, 10m, 2h or 1d.`);
}

/** A whole number above 0. */
export function readCount(option: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 0 && text.trim() !== '') return count;
  throw new UsageError(`--${option} is "${text}". Give a whole number.`);
}

/** `name=value` pairs as an object. */
export function readPairs(option: string, pairs: readonly string[] = []): Record<string, string> {
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--${option} is "${pair}". Give it as <name>=<value>.`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}
