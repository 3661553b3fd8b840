import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ProcessUsage {
  rssMb: number;
  /** The highest it ever was. */
  peakMb: number;
  cpuSeconds: number;
}

/** A contender's worker, in a process of its own. */
export interface MeasuredWorker {
  taskQueue: string;
  usage(): Promise<ProcessUsage>;
  /** Heap behind a garbage collection, workflow threads included; only turnloop's worker answers. */
  heapMb(): Promise<number>;
  /** Resolves at the next start of a tool; only turnloop's worker tells. */
  toolStarted(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Lets it end, where it knows how to. */
  stop(): Promise<void>;
}

export interface WorkerProcess {
  file: string;
  args: string[];
  taskQueue: string;
  env?: Record<string, string>;
  execPath?: string;
  execArgv?: string[];
  /** Whether it understands "stop"; else it is killed. */
  stops: boolean;
}

/** Starts a worker and resolves when it polls. */
export async function startWorkerProcess(options: WorkerProcess): Promise<MeasuredWorker> {
  const { file, args, taskQueue, env, stops } = options;
  const child = fork(file, args, {
    env: { ...process.env, ...env },
    execPath: options.execPath ?? process.execPath,
    execArgv: options.execArgv ?? [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-4_000)));
  const ended = once(child, 'exit');
  const waiting: { field: string; resolve(message: unknown): void }[] = [];
  child.on('message', (message) => {
    for (const each of waiting.splice(0)) {
      if (
        message === each.field ||
        (typeof message === 'object' && message !== null && each.field in message)
      )
        each.resolve(message);
      else waiting.push(each);
    }
  });
  const told = <T>(field: string): Promise<T> =>
    Promise.race([
      new Promise<unknown>((resolve) => waiting.push({ field, resolve })) as Promise<T>,
      ended.then(([code, signal]): never => {
        throw new Error(`the worker ${file} ended with ${signal ?? code}: ${errors || 'it said nothing'}`);
      }),
    ]);
  async function asked<T>(question: string, field: string): Promise<T> {
    const answer = told<T>(field);
    child.send(question);
    return await answer;
  }
  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  await told('ready');
  return {
    taskQueue,
    async usage() {
      const { rss, peak, cpu } = await asked<{ rss: number; peak: number; cpu: NodeJS.CpuUsage }>(
        'rss',
        'rss',
      );
      return { rssMb: rss, peakMb: peak, cpuSeconds: (cpu.user + cpu.system) / 1e6 };
    },
    heapMb: async () => (await asked<{ heap: number }>('heap', 'heap')).heap,
    async toolStarted() {
      await told('tool started');
    },
    kill,
    async stop() {
      if (!stops) return await kill();
      child.send('stop');
      await ended;
    },
  };
}
