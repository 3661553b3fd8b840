import { spawn } from 'node:child_process';
import { basename } from 'node:path';

export interface Watch {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** Called every `everyMs`; returning a text ends the command with that text as the reason. */
  onTick(elapsedMs: number, outputLines: number): Promise<string | undefined> | string | undefined;
  everyMs: number;
}

/** How much of a command's output is kept for its error, in lines. */
const keptLinesMax = 8;

/** Runs a command to its end; rejects with the last lines of its output when it fails, is aborted, or the watch ends it. */
export async function runWatched(command: string, args: string[], watch: Watch): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  watch.signal?.throwIfAborted();
  const child = spawn(command, args, { env: watch.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const started = performance.now();
  let lines = 0;
  let tail = '';
  let ended: string | undefined;

  const end = (why: string) => {
    ended ??= why;
    child.kill('SIGINT');
  };
  const abort = () => end('stopped');
  const read = (chunk: Buffer) => {
    const text = chunk.toString();
    lines += text.split('\n').length - 1;
    tail = (tail + text)
      .split('\n')
      .slice(-keptLinesMax - 1)
      .join('\n');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ENOENT' ? new Error(`${command} is not on PATH`) : error),
  );
  child.once('close', (code, signal) => {
    if (code === 0 && ended === undefined) resolve();
    else
      reject(
        new Error(
          ended ??
            `${basename(command)} ended with ${signal ?? `exit code ${code}`}: ${tail.trim() || 'no output'}`,
        ),
      );
  });
  watch.signal?.addEventListener('abort', abort, { once: true });
  const ticker = setInterval(() => {
    Promise.resolve(watch.onTick(performance.now() - started, lines)).then(
      (why) => (why === undefined ? undefined : end(why)),
      (thrown: unknown) => end(String(thrown)),
    );
  }, watch.everyMs);
  try {
    await promise;
  } finally {
    clearInterval(ticker);
    watch.signal?.removeEventListener('abort', abort);
  }
}
