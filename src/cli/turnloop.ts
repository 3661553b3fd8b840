#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { startServer } from '../server/start-server.ts';
import type { Terminal } from './command.ts';
import { replay } from './replay.ts';
import { runCommand } from './run-command.ts';
import { startCommand } from './start.ts';
import { tools } from './tools.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second one means: now. What was started is ended by the listeners on 'exit'.
    if (stopped.signal.aborted) process.exit(130);
    stopped.abort(Object.assign(new Error(`stopped by ${signal}`), { name: 'AbortError', signal }));
  });
}

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
  signal: stopped.signal,
};
const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
// Loaded when it is needed: the other commands don't wait for worker, client and models.
const start = startCommand({
  startServer,
  openWorkplace: async (...args) => (await import('./workplace.ts')).openWorkplace(...args),
});

process.exitCode = await runCommand(
  process.argv.slice(2),
  [start, tools, replay],
  manifest.version,
  terminal,
);
