import { Client, Connection } from '@temporalio/client';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loopback } from '../../src/server/free-ports.ts';
import { until } from '../../src/server/until.ts';
import { run, startChild, type Child } from './child.ts';
import { startPostgresql } from './postgresql.ts';
import { serverExecutables, serverVersion } from './server-executables.ts';

export interface OtherServer {
  address: string;
  stop(): Promise<void>;
}

/** How long each part may take to answer, in ms: seconds as a rule, more on a loaded machine. */
const startMsMax = 120_000;

const dynamicConfig = fileURLToPath(new URL('../../deploy/dynamicconfig/turnloop.yaml', import.meta.url));

/** Temporal's server, as a cluster of one on PostgreSQL, with a namespace `default`. Ends what it started when it fails. */
export async function startOtherServer(log: (line: string) => void): Promise<OtherServer> {
  const { server, sql } = await serverExecutables(log);
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'turnloop-other-server-'));
  const children: Child[] = [];
  const stop = async () => {
    for (const child of children.toReversed()) await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // PostgreSQL may run as another user, who has to get through here.
    await chmod(folder, 0o755);
    const ports = await somePorts(13);
    const database = join(folder, 'postgresql');
    await mkdir(database);
    const postgresql = await startPostgresql(database, ports[0]!);
    children.push(postgresql);
    await makeSchema(sql, ports[0]!, postgresql);
    const address = `${loopback}:${ports[1]!}`;
    const env = { ...process.env, ...settings(ports) };
    const temporal = startChild(server, ['--allow-no-auth', 'start'], join(folder, 'server.log'), {
      env,
      cwd: folder,
    });
    children.push(temporal);
    await makeNamespace(address, temporal);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    log(`Temporal server ${serverVersion}: up at ${address} after ${seconds} s, on PostgreSQL`);
    return { address, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** Free ones. The schema keeps a port in 16 bits with a sign, so those that the system hands out are too high. */
async function somePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = 20_000 + (process.pid % 10_000); ports.length < count; port++) {
    if (port > 32_767) throw new Error(`fewer than ${count} ports from 20000 to 32767 are free`);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, loopback, () => server.close(() => resolve(true)));
  });

/** What the server's container image is configured by. */
function settings(ports: number[]): Record<string, string> {
  const names = [
    'DB_PORT',
    'FRONTEND_GRPC_PORT',
    'FRONTEND_HTTP_PORT',
    'FRONTEND_MEMBERSHIP_PORT',
    'INTERNAL_FRONTEND_GRPC_PORT',
    'INTERNAL_FRONTEND_HTTP_PORT',
    'INTERNAL_FRONTEND_MEMBERSHIP_PORT',
    'MATCHING_GRPC_PORT',
    'MATCHING_MEMBERSHIP_PORT',
    'HISTORY_GRPC_PORT',
    'HISTORY_MEMBERSHIP_PORT',
    'WORKER_GRPC_PORT',
    'WORKER_MEMBERSHIP_PORT',
  ];
  return {
    ...Object.fromEntries(names.map((name, i) => [name, String(ports[i])])),
    DB: 'postgres12',
    POSTGRES_SEEDS: loopback,
    POSTGRES_USER: 'temporal',
    POSTGRES_PWD: 'none',
    BIND_ON_IP: loopback,
    TEMPORAL_BROADCAST_ADDRESS: loopback,
    DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
    LOG_LEVEL: 'warn',
  };
}

async function makeSchema(sql: string, port: number, postgresql: Child): Promise<void> {
  const env = {
    ...process.env,
    ...{ SQL_PLUGIN: 'postgres12', SQL_HOST: loopback, SQL_PORT: String(port) },
    ...{ SQL_USER: 'temporal', SQL_PASSWORD: 'none' },
  };
  for (const [name, schema] of [
    ['temporal', 'postgresql/v12/temporal'],
    ['temporal_visibility', 'postgresql/v12/visibility'],
  ] as const) {
    const tool = (...args: string[]) => run(sql, ['--database', name, ...args], { env });
    await answered('PostgreSQL', postgresql, () => tool('create-database'));
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-name', schema);
  }
}

/** The namespace is there once every service of the server has heard of it, which takes some seconds. */
async function makeNamespace(address: string, temporal: Child): Promise<void> {
  const connection = await answered('Temporal', temporal, () =>
    Connection.connect({ address, connectTimeout: '2s' }),
  );
  try {
    const namespace = 'default';
    await answered('Temporal', temporal, () =>
      connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
      }),
    );
    const { workflow } = new Client({ connection, namespace });
    const options = { taskQueue: 'nobody', workflowId: 'first' };
    await answered('Temporal', temporal, () => workflow.start('none', options));
    await workflow.getHandle('first').terminate();
  } finally {
    await connection.close();
  }
}

/** Asks until it succeeds. @throws with the last reason when the time is up, at once when the process has ended */
async function answered<T>(what: string, child: Child, ask: () => Promise<T>): Promise<T> {
  let reason: unknown;
  const answer = await until(
    async () => {
      await child.check();
      try {
        return { value: await ask() };
      } catch (thrown) {
        reason = thrown;
        return undefined;
      }
    },
    { timeoutMs: startMsMax, everyMs: 250 },
  );
  if (answer !== undefined) return answer.value;
  throw new Error(`${what} does not answer within ${startMsMax / 1000} s`, { cause: reason });
}
