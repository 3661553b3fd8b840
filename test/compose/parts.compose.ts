import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { Connection } from '@temporalio/client';
import { findExecutable } from '../../src/server/find-executable.ts';
import type { Server } from '../../src/server/server.ts';
import { startServer } from '../../src/server/start-server.ts';
import { until } from '../e2e/until.ts';
import { layOutImage } from './image.ts';
import { root, runProgram } from './project.ts';

/* The parts of the deployment that run without containers: the namespace's set-up, the worker's layout, its health check. */
let server: Server;
let image: Awaited<ReturnType<typeof layOutImage>>;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  server = await startServer({ log: () => {}, dbFile: false, useConfigured: false });
  image = await layOutImage();
  const cli = dirname(await findExecutable(process.env, () => {}));
  env = {
    HOME: process.env['HOME'],
    PATH: `${cli}:${process.env['PATH']}`,
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_NAMESPACE: 'deployed',
  };
});
afterAll(async () => {
  await image?.remove();
  await server?.stop();
});

const setUp = () => runProgram('sh', [join(root, 'deploy/setup-namespace.sh')], env);

const health = (taskQueue: string) =>
  runProgram(process.execPath, ['deploy/worker-health.mjs', taskQueue], env, image.app);

function startWorker(args: string[] = []): { child: ChildProcess; output(): string } {
  let output = '';
  const child = spawn(
    process.execPath,
    ['dist/cli/turnloop.js', 'worker', './agents/agents.ts', '--json', ...args],
    {
      cwd: image.app,
      // Nobody is asked: the worker only has to know a model.
      env: { ...env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    },
  );
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (output += String(data)));
  return { child, output: () => output };
}

test('the namespace is made with its retention and search attribute, and setting up again changes nothing', async () => {
  for (const time of ['first', 'second']) {
    const { code, stdout, stderr } = await setUp();
    expect({ time, code, stderr: code === 0 ? '' : stdout + stderr }).toEqual({ time, code: 0, stderr: '' });
    const connection = await Connection.connect(server.connectOptions);
    try {
      const { config } = await connection.workflowService.describeNamespace({ namespace: 'deployed' });
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3_600);
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace: 'deployed',
      });
      expect(customAttributes).toEqual({ TurnloopWaiting: 2 }); // 2: Keyword
    } finally {
      await connection.close();
    }
  }
});

test('a worker in the layout of the image is healthy while it polls, and ends by itself at SIGTERM', async () => {
  await setUp();
  const { child, output } = startWorker();
  try {
    await until(
      'the worker is ready',
      () => output().includes('"ready":true') || child.exitCode !== null,
      60_000,
    );
    expect(output()).toContain('"namespace":"deployed"');
    await until('the worker is healthy', async () => (await health('turnloop')).code === 0);
    const other = await health('another-queue');
    expect(other.code).toBe(1);
    expect(other.stderr).toContain('polls task queue another-queue in namespace deployed');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect({ code: child.exitCode, output: child.exitCode === 0 ? '' : output() }).toEqual({
      code: 0,
      output: '',
    });
  } finally {
    child.kill('SIGKILL');
  }
});

test('the health check says so when Temporal is out of reach', async () => {
  const nowhere = { ...env, TEMPORAL_ADDRESS: '127.0.0.1:9' };
  const { code, stderr } = await runProgram(
    process.execPath,
    ['deploy/worker-health.mjs'],
    nowhere,
    image.app,
  );
  expect(code).toBe(1);
  expect(stderr).toContain("Temporal at 127.0.0.1:9 can't be asked");
});
