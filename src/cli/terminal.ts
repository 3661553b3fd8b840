import { text } from 'node:stream/consumers';
import type { Terminal } from './command.ts';
import { paintFor } from './paint.ts';

/** Back to the first column, and the line is empty. */
const clearLine = '\r\u001b[2K';

/** The process's own streams. On a terminal there are colours and a live line, which every other line goes before. */
export function openTerminal(signal: AbortSignal): Terminal {
  const { stdout, stderr, stdin, env } = process;
  const replaceable = stdout.isTTY && env['TERM'] !== 'dumb';
  let shown: string | undefined;
  const write = (stream: NodeJS.WriteStream, line: string) => {
    if (shown === undefined) {
      stream.write(`${line}\n`);
      return;
    }
    stdout.write(clearLine);
    stream.write(`${line}\n`);
    stdout.write(shown);
  };
  const live = (line: string | undefined) => {
    if (shown !== undefined || line !== undefined) stdout.write(clearLine);
    // A line that wraps could not be taken back.
    shown =
      line === undefined ? undefined : [...line].slice(0, Math.max(1, (stdout.columns ?? 80) - 1)).join('');
    if (shown !== undefined) stdout.write(shown);
  };
  return {
    out: (line) => write(stdout, line),
    err: (line) => write(stderr, line),
    input: () => text(stdin),
    env,
    signal,
    paint: paintFor(stdout, env),
    ...(replaceable ? { live } : {}),
  };
}
