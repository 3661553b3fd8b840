import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '../../src/server/process-command.ts';
import { until } from '../../src/server/until.ts';
import { turnloop } from './turnloop.ts';

const sample = fileURLToPath(new URL('./sample-agents.ts', import.meta.url));

/** `turnloop dev` with the sample agents in a folder; resolves when it says that everything is up. */
export async function startDev(cwd: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const process = turnloop(['dev', sample, ...args], { cwd, env });
  started.push(process);
  await process.saying(/Ctrl-C ends what runs here\.\n|"ready":true/);
  return process;
}

const started: ReturnType<typeof turnloop>[] = [];

/** Ends those of a test that failed before it ended them. */
export async function endAllDevs(): Promise<void> {
  for (const dev of started.splice(0)) {
    dev.kill('SIGTERM');
    await dev.ended;
  }
}

export type Dev = Awaited<ReturnType<typeof startDev>>;

/** Process id of the server that serves the folder. */
export async function serverPid(cwd: string): Promise<number> {
  const file = join(cwd, '.turnloop/temporal.db.server.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { running: { pid: number } }).running.pid;
}

/** Ctrl-C, and what there is behind it: of the process, its server, and the record of who serves the folder. */
export async function stopDev(cwd: string, dev: Dev, signal: NodeJS.Signals = 'SIGINT') {
  const pid = await serverPid(cwd);
  if (!isAlive(pid)) throw new Error(`the server ${pid} has ended before its time`);
  dev.kill(signal);
  const ended = await dev.ended;
  const files = await readdir(join(cwd, '.turnloop'));
  return { ...ended, serverAlive: isAlive(pid), served: files.includes('temporal.db.server.json') };
}

/** A run of the sample agent that waits in its tool. */
export async function startWaiting(cwd: string, id: string): Promise<void> {
  const call = (...args: string[]) => turnloop(args, { cwd }).ended;
  await call('run', 'adder', 'please wait', '--id', id, '--detach');
  const waits = async () => ((await call('state', id)).out.includes('wait') ? true : undefined);
  if (!(await until(waits, { timeoutMs: 60_000 }))) throw new Error(`the run ${id} doesn't reach its tool`);
}
