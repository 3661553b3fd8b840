import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The command line of a process; undefined when there is no such process, or it can't be asked about. */
export async function processCommand(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') {
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      return text === '' ? undefined : text.replaceAll('\0', ' ').trim();
    }
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it exists and belongs to somebody else.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
