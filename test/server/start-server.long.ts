import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { Server } from '../../src/server/server.ts';
import { startServer } from '../../src/server/start-server.ts';
import { until } from '../../src/server/until.ts';
import { listens } from './listens.ts';
import { program, scratchFolder } from './scratch.ts';

let folder: string;
let remove: () => Promise<void>;
let lines: string[];
const log = (line: string) => void lines.push(line);

beforeEach(async () => {
  ({ path: folder, remove } = await scratchFolder());
  lines = [];
});
afterEach(async () => {
  // Those of a test that failed before it ended them; stop() may be called twice.
  for (const server of servers.splice(0)) await server.stop();
  await remove();
});

const servers: Server[] = [];
const start = async (name = 'temporal.db') => {
  const server = await startServer({ log, dbFile: join(folder, name), useConfigured: false });
  servers.push(server);
  return server;
};

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

const quiet = async (address: string) => ((await listens(address)) ? undefined : true);

/** Another process that starts a server on the test's file. */
async function otherProcess() {
  const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url));
  const child = spawn(process.execPath, [script, join(folder, 'temporal.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, address: said.toString().trim() };
}

test('an embedded server keeps closed runs for 30 days', async () => {
  const connection = await Connection.connect({ address: process.env['TURNLOOP_TEST_ADDRESS']! });
  const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
});

test('a run survives the restart of its server', async () => {
  const first = await start();
  await withClient(first.address, (client) =>
    client.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'kept' }),
  );
  await first.stop();
  expect(await listens(first.address)).toBe(false);

  const second = await start();
  const found = await withClient(second.address, (client) => client.workflow.getHandle('kept').describe());
  await second.stop();
  expect(found.status.name).toBe('RUNNING');
});

test('a second start on the same file uses the server that runs, and does not end it', async () => {
  const first = await start();
  const second = await start();
  expect(second.address).toBe(first.address);
  await second.stop();
  expect(await listens(first.address)).toBe(true);
  await first.stop();
  expect(await listens(first.address)).toBe(false);
});

test('servers on different files that start at the same time get a port each', async () => {
  const [one, two] = await Promise.all([start('one.db'), start('two.db')]);
  expect(one.address).not.toBe(two.address);
  await Promise.all([one.stop(), two.stop()]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to the process that started it ends the server too',
  async (signal) => {
    const { child, address } = await otherProcess();
    child.kill(signal);
    const [, endedBy] = (await once(child, 'exit')) as [number | null, string | null];
    expect(endedBy).toBe(signal);
    expect(await until(() => quiet(address), { timeoutMs: 20_000 })).toBe(true);
  },
);

test('a server whose starter was killed is taken over and ended by the next one', async () => {
  const { child, address } = await otherProcess();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await listens(address)).toBe(true);

  const heir = await start();
  expect(heir.address).toBe(address);
  expect(lines.join('\n')).toContain('taking it over');
  await heir.stop();
  expect(await listens(address)).toBe(false);
});

test('a server that dies before it answers fails with its last log lines', async () => {
  const broken = await program(folder, 'temporal', [
    '[ "$1" = --version ] && echo "temporal version 0" && exit',
    'echo "disk is on fire" >&2',
    'exit 7',
  ]);
  const env = { ...process.env, TEMPORAL_CLI_PATH: broken };
  const failed = startServer({ log, dbFile: join(folder, 'a.db'), useConfigured: false, env });
  await expect(failed).rejects.toThrow(/ended with 7 before it answered.*\n {2}disk is on fire/);
});

test('a port that is taken in the last moment is followed by another try', async () => {
  const counter = join(folder, 'starts');
  const unlucky = await program(folder, 'temporal', [
    '[ "$1" = --version ] && echo "temporal version 0" && exit',
    `echo x >> ${counter}`,
    'echo "bind: address already in use" >&2',
    'exit 1',
  ]);
  const env = { ...process.env, TEMPORAL_CLI_PATH: unlucky };
  await expect(startServer({ log, dbFile: false, useConfigured: false, env })).rejects.toThrow(
    'already in use',
  );
  expect((await readFile(counter, 'utf8')).length / 2).toBe(5);
});
