#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { commands } from './commands.ts';
import { runCommand } from './run-command.ts';
import { openTerminal } from './terminal.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second one means: now. What was started is ended by the listeners on 'exit'.
    if (stopped.signal.aborted) process.exit(130);
    stopped.abort(Object.assign(new Error(`stopped by ${signal}`), { name: 'AbortError', signal }));
  });
}
// A reader that has seen enough (`turnloop ls | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const code = await runCommand(
  process.argv.slice(2),
  commands,
  manifest.version,
  openTerminal(stopped.signal),
);
// A command that is over is over, whatever a module of the user's or a request under way still holds open.
process.stdout.write('', () => process.exit(code));
