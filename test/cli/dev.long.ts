import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/server/process-command.ts';
import { until } from '../../src/server/until.ts';
import { listens } from '../server/listens.ts';
import { scratchFolder } from '../server/scratch.ts';
import { testServer } from '../setup/test-server.ts';
import { endAllDevs, serverPid, startDev, startWaiting, stopDev } from './dev.ts';
import { turnloop } from './turnloop.ts';

let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, remove } = await scratchFolder());
});
afterEach(async () => {
  await endAllDevs();
  await remove();
});

test('what runs at Ctrl-C is not lost: the next one in the folder goes on with it', async () => {
  const first = await startDev(cwd);
  await startWaiting(cwd, 'kept');
  const gone = { status: 0, err: '', serverAlive: false, served: false };
  expect(await stopDev(cwd, first)).toMatchObject(gone);

  const second = await startDev(cwd);
  const { status, out } = await turnloop(['cancel', 'kept'], { cwd }).ended;
  expect({ status, out }).toEqual({ status: 0, out: 'kept ended: cancelled\n' });
  expect(await stopDev(cwd, second, 'SIGTERM')).toMatchObject(gone);
});

test('a second Ctrl-C ends worker and server at once, while a tool still runs', async () => {
  const dev = await startDev(cwd);
  await startWaiting(cwd, 'waits');
  const pid = await serverPid(cwd);
  dev.kill('SIGINT');
  await sleep(500);
  const stoppedAt = Date.now();
  dev.kill('SIGINT');
  expect(await dev.ended).toMatchObject({ status: 130, err: '' });
  expect(Date.now() - stoppedAt).toBeLessThan(3_000); // a tool gets 5 s to end
  expect(await until(() => (isAlive(pid) ? undefined : 'gone'), { timeoutMs: 10_000 })).toBe('gone');
});

test('with --json one line says what is up, and everything else goes to standard error', async () => {
  const { out, err, ...ended } = await stopDev(cwd, await startDev(cwd, ['--json', '--task-queue', 'mine']));
  expect(ended).toEqual({ status: 0, serverAlive: false, served: false });
  expect(JSON.parse(out)).toEqual({
    ready: true,
    address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    namespace: 'default',
    uiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    taskQueue: 'mine',
    agents: ['adder'],
  });
  expect(err).toMatch(/^Temporal server: .*\n/);
});

test('--db says where the runs are kept', async () => {
  const dev = await startDev(cwd, ['--db', 'other.db']);
  dev.kill('SIGINT');
  const { status, out } = await dev.ended;
  expect(status).toBe(0);
  expect(out).toContain('runs are kept in other.db\n');
  expect(await readdir(cwd)).toContain('other.db');
});

test('a server that is configured is used, and goes on behind Ctrl-C', async () => {
  const { address } = testServer();
  const dev = await startDev(cwd, ['--task-queue', 'dev-elsewhere'], { TEMPORAL_ADDRESS: address });
  dev.kill('SIGINT');
  const { status, out, err } = await dev.ended;
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toContain(`TEMPORAL_ADDRESS says ${address}`);
  expect(out).toMatch(/\nCtrl-C ends what runs here\.\n$/); // nobody knows where its UI is
  expect(await listens(address)).toBe(true);
});
