import { isAlive } from './process-command.ts';
import { until } from './until.ts';

/** How long a server may take to end before it is killed, in ms. */
const graceMs = 10_000;

/** Ends one process: SIGTERM, and SIGKILL when it is still there after the grace. Resolves when it is gone. */
export async function stopProcess(pid: number): Promise<void> {
  const gone = () => (isAlive(pid) ? undefined : true);
  if (gone() || !send(pid, 'SIGTERM')) return;
  if (await until(gone, { timeoutMs: graceMs })) return;
  send(pid, 'SIGKILL');
  await until(gone, { timeoutMs: graceMs });
}

/** False when the process was gone already. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw thrown;
  }
}
