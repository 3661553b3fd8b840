import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { claimDatabase, type Claim } from './claim-database.ts';
import { startDevServer } from './dev-server.ts';
import { endWithProcess } from './end-with-process.ts';
import { findExecutable } from './find-executable.ts';
import { configuredNamespace, fromEnvironment } from './from-environment.ts';
import type { LogLine, Server, StartServerOptions } from './server.ts';
import { stopProcess } from './stop-process.ts';

/** Database of the embedded server, relative to the working directory. */
export const defaultDbFile = '.turnloop/temporal.db';

/**
 * Finds a Temporal server or starts one: the one Temporal's configuration names, else the one that already serves the
 * database file, else an embedded one. Says in one line a step what is tried and how long it took. Throws a `ServerError`
 * that names the remedies when there is no way.
 */
export async function startServer(options: StartServerOptions): Promise<Server> {
  const env = options.env ?? process.env;
  if (options.useConfigured !== false) {
    const configured = await fromEnvironment(env, options.log);
    if (configured !== undefined) return configured;
  }
  const namespace = configuredNamespace(env);
  if (options.dbFile === false) return inMemory(namespace, env, options);
  return onFile(resolve(options.dbFile ?? defaultDbFile), namespace, env, options);
}

async function inMemory(
  namespace: string,
  env: NodeJS.ProcessEnv,
  options: StartServerOptions,
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'turnloop-server-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const logFile = join(folder, 'temporal.log');
    return await launch({ namespace, env, options, logFile, onStopped: removeFolder });
  } catch (thrown) {
    await removeFolder();
    throw thrown;
  }
}

async function onFile(
  dbFile: string,
  namespace: string,
  env: NodeJS.ProcessEnv,
  options: StartServerOptions,
): Promise<Server> {
  await mkdir(dirname(dbFile), { recursive: true });
  const claim = await claimDatabase(dbFile, options.signal);
  if (claim.kind === 'running') return joinRunning(claim, dbFile, namespace, options.log);
  try {
    return await launch({
      namespace,
      env,
      options,
      dbFile,
      logFile: `${dbFile}.log`,
      onStarted: claim.announce,
      onStopped: claim.release,
    });
  } catch (thrown) {
    await claim.release();
    throw thrown;
  }
}

interface Launch {
  namespace: string;
  env: NodeJS.ProcessEnv;
  options: StartServerOptions;
  dbFile?: string;
  logFile: string;
  onStarted?: (running: { pid: number; address: string; uiUrl: string }) => Promise<void>;
  onStopped: () => Promise<void>;
}

async function launch({
  namespace,
  env,
  options,
  dbFile,
  logFile,
  onStarted,
  onStopped,
}: Launch): Promise<Server> {
  const executable = await findExecutable(env, options.log, options.signal);
  const started = performance.now();
  const server = await startDevServer({
    executable,
    namespace,
    dbFile,
    logFile,
    // A server in memory is for tests: it leaves the usual ports to the one a person may start.
    preferUsualPorts: dbFile !== undefined,
    signal: options.signal,
  });
  const undo = endWithProcess(server.kill);
  const { pid, address, uiUrl } = server;
  try {
    await onStarted?.({ pid, address, uiUrl });
  } catch (thrown) {
    await server.stop();
    undo();
    throw thrown;
  }
  const where = dbFile === undefined ? 'in memory' : `runs are kept in ${relative('.', dbFile)}`;
  const took = ((performance.now() - started) / 1000).toFixed(1);
  options.log(`Temporal server: up at ${address} after ${took} s, UI at ${uiUrl}, ${where}`);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await server.stop();
    undo();
    await onStopped();
  };
  return embedded(address, uiUrl, namespace, () => (stopped ??= stop()));
}

/** A server that runs already on this file. One whose starter was killed is taken over, so that somebody ends it. */
async function joinRunning(
  claim: Extract<Claim, { kind: 'running' }>,
  dbFile: string,
  namespace: string,
  log: LogLine,
): Promise<Server> {
  const { pid, address, uiUrl } = claim.running;
  const at = `Temporal server: ${address} already serves ${relative('.', dbFile)}`;
  if (!claim.orphan) {
    log(`${at}; using it, it ends with the process that started it`);
    return embedded(address, uiUrl, namespace, async () => {});
  }
  log(`${at}, left by a process that is gone; taking it over`);
  await claim.adopt();
  const undo = endWithProcess(() => void process.kill(pid, 'SIGTERM'));
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await stopProcess(pid);
    undo();
    await claim.release();
  };
  return embedded(address, uiUrl, namespace, () => (stopped ??= stop()));
}

function embedded(address: string, uiUrl: string, namespace: string, stop: () => Promise<void>): Server {
  return { address, namespace, uiUrl, connectOptions: { address }, embedded: true, stop };
}
