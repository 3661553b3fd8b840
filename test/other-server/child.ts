import { execFile, spawn, type SpawnOptions } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { endWithProcess } from '../../src/server/end-with-process.ts';
import { stopProcess } from '../../src/server/stop-process.ts';

export interface Child {
  /** Throws with its last words when it has ended. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** A server process, which ends with this one at the latest. Its output goes to the log file. */
export function startChild(
  command: string,
  args: string[],
  logFile: string,
  options: Pick<SpawnOptions, 'env' | 'uid' | 'gid' | 'cwd'>,
): Child {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  let failed: Error | undefined;
  child.once('error', (error) => (failed = error));
  const undo = endWithProcess(() => void child.kill('SIGTERM'));
  return {
    async check() {
      if (failed) throw failed;
      if (child.exitCode === null && child.signalCode === null) return;
      const words = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-10).join('\n  ');
      throw new Error(
        `${command} has ended (${child.signalCode ?? child.exitCode}). Its last words:\n  ${words}`,
      );
    },
    async stop() {
      undo();
      if (child.pid !== undefined) await stopProcess(child.pid);
      log.end();
    },
  };
}

/** Runs a command to its end. @throws Error with its output when it fails */
export async function run(
  command: string,
  args: string[],
  options: Pick<SpawnOptions, 'env' | 'uid' | 'gid' | 'cwd'> = {},
): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, options as { cwd?: string })).stdout.trim();
  } catch (thrown) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = thrown as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${command} ${args.join(' ')}: ${(stderr + stdout).trim() || message}`, {
      cause: thrown,
    });
  }
}
