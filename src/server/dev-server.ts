import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { freePorts, loopback } from './free-ports.ts';
import { keepRuns } from './keep-runs.ts';
import { ServerError } from './server-error.ts';
import { stopProcess } from './stop-process.ts';
import { until } from './until.ts';

/**
 * The dev server's defaults cost a run about 45 ms a hop: task queues are polled 20 times a second, and activities are not
 * handed out with the workflow task's completion.
 */
const dynamicConfig = [
  'history.transferProcessorMaxPollRPS=2000',
  'system.enableActivityEagerExecution=true',
];

/** Longest wait for a new server to answer, in ms. It takes about 1 s; a loaded machine takes longer. */
const startMsMax = 60_000;
/** Longest wait for a server that answers to say in its log that it is up, in ms; releases that word it otherwise don't. */
const bannerMsMax = 10_000;
const portTriesMax = 5;
const shownLogLines = 10;

export interface DevServerOptions {
  executable: string;
  /** Absent: in memory. */
  dbFile?: string | undefined;
  logFile: string;
  namespace: string;
  /** Whether 7233 and 8233 are wanted when they are free. */
  preferUsualPorts: boolean;
  signal?: AbortSignal | undefined;
}

export interface DevServer {
  pid: number;
  address: string;
  uiUrl: string;
  /** Ends the process at once, without waiting: for the end of this process. */
  kill(): void;
  stop(): Promise<void>;
}

/** Starts `temporal server start-dev` and resolves when it answers. Rejects with its last log lines when it dies before. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  for (let attempt = 1; ; attempt += 1) {
    const { port, uiPort } = await freePorts(options.preferUsualPorts && attempt === 1);
    const child = await launch(options, port, uiPort);
    try {
      await answers(child, `${loopback}:${port}`, options);
      await saysSo(child, port, options);
      return {
        pid: child.pid as number,
        address: `${loopback}:${port}`,
        uiUrl: `http://${loopback}:${uiPort}`,
        kill: () => void child.kill('SIGTERM'),
        stop: async () => {
          if (hasEnded(child)) return;
          child.ref();
          await stopProcess(child.pid as number);
        },
      };
    } catch (thrown) {
      if (!hasEnded(child) && child.pid !== undefined) await stopProcess(child.pid);
      const text = await readFile(options.logFile, 'utf8').catch(() => '');
      // Somebody took a port between the look and the start.
      if (/address already in use/.test(text) && attempt < portTriesMax && !options.signal?.aborted) continue;
      if (options.signal?.aborted) throw thrown;
      const last = text.trim().split('\n').slice(-shownLogLines).join('\n  ');
      throw new ServerError(
        `${(thrown as Error).message}. Its last words (${options.logFile}):\n  ${last || 'none'}`,
        {
          cause: thrown,
        },
      );
    }
  }
}

async function launch(options: DevServerOptions, port: number, uiPort: number): Promise<ChildProcess> {
  const log = await open(options.logFile, 'w');
  try {
    const child = spawn(
      options.executable,
      [
        ...['server', 'start-dev', '--ip', loopback, '--port', String(port), '--ui-port', String(uiPort)],
        ...['--namespace', options.namespace, '--log-level', 'warn', '--color', 'never'],
        ...dynamicConfig.flatMap((value) => ['--dynamic-config-value', value]),
        ...(options.dbFile === undefined ? [] : ['--db-filename', options.dbFile]),
      ],
      // A group of its own: Ctrl-C in a terminal reaches every process of the foreground group, and the server has to
      // outlive the worker that drains.
      { stdio: ['ignore', log.fd, log.fd], detached: true },
    );
    child.once('error', () => {}); // `spawnfile` that can't run: hasEnded() sees that there is no process
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function failIfEnded(child: ChildProcess, { executable }: DevServerOptions): void {
  if (!hasEnded(child)) return;
  const how =
    child.pid === undefined ? 'could not be run' : `ended with ${child.signalCode ?? child.exitCode}`;
  throw new Error(`The Temporal server (${executable}) ${how} before it answered`);
}

/**
 * What answers at the port may be somebody else's server that took it in the last moment, while ours is about to die. Only
 * our own server's log tells.
 */
async function saysSo(child: ChildProcess, port: number, options: DevServerOptions): Promise<void> {
  const banner = new RegExp(`Server: +\\S+:${port}\\b`);
  const look = async () => {
    failIfEnded(child, options);
    return banner.test(await readFile(options.logFile, 'utf8')) || undefined;
  };
  await until(look, { timeoutMs: bannerMsMax, signal: options.signal });
  failIfEnded(child, options);
}

async function answers(child: ChildProcess, address: string, options: DevServerOptions): Promise<void> {
  const end = Date.now() + startMsMax;
  // The channel waits longer after each refusal, up to minutes by default: too long for a server that is up in a second.
  const connection = Connection.lazy({
    address,
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 200 },
  });
  try {
    for (;;) {
      options.signal?.throwIfAborted();
      failIfEnded(child, options);
      try {
        await connection.withDeadline(Date.now() + 2_000, () => keepRuns(connection, options.namespace));
        return;
      } catch (thrown) {
        if (Date.now() > end) {
          throw new Error(
            `The Temporal server at ${address} did not answer within ${startMsMax / 1000} s: ${(thrown as Error).message}`,
          );
        }
      }
      await sleep(50);
    }
  } finally {
    await connection.close();
  }
}
