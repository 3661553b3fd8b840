const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `kill` when this process ends, however it does short of a crash. A signal that nobody else listens to is followed
 * by the end it means; where others listen (a worker that drains first), the end of the process is theirs to decide, and
 * `kill` waits for it. Returns a function that takes it all back.
 */
export function endWithProcess(kill: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    undo();
    kill();
    process.kill(process.pid, signal);
  };
  const undo = () => {
    process.off('exit', kill);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.once('exit', kill);
  for (const signal of signals) process.on(signal, onSignal);
  return undo;
}
