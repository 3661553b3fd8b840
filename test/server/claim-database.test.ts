import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimDatabase } from '../../src/server/claim-database.ts';
import { scratchFolder } from './scratch.ts';

let folder: string;
let remove: () => Promise<void>;
let dbFile: string;
let children: ChildProcess[];

beforeEach(async () => {
  ({ path: folder, remove } = await scratchFolder());
  dbFile = join(folder, 'temporal.db');
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await remove();
});

/** A process that has `argument` in its command line and does nothing. */
function idle(argument: string): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', argument], { stdio: 'ignore' });
  children.push(child);
  return child.pid!;
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid!;
}

const record = (value: unknown) => writeFile(`${dbFile}.server.json`, JSON.stringify(value));
const running = (pid: number) => ({ pid, address: '127.0.0.1:1', uiUrl: 'http://127.0.0.1:2' });

test('the first one gets the file, and who comes later gets the server that the first one announced', async () => {
  const first = await claimDatabase(dbFile);
  if (first.kind !== 'free') throw new Error(first.kind);
  const second = claimDatabase(dbFile);
  const server = running(idle(dbFile));
  await first.announce(server);
  expect(await second).toMatchObject({ kind: 'running', running: server, orphan: false });
});

test('of several at the same time exactly one gets the file', async () => {
  const claims: string[] = [];
  const all = Array.from({ length: 5 }, async () => {
    const claim = await claimDatabase(dbFile);
    claims.push(claim.kind);
    if (claim.kind === 'free') await claim.announce(running(idle(dbFile)));
  });
  await Promise.all(all);
  expect(claims.filter((kind) => kind === 'free')).toHaveLength(1);
});

test('a server whose starter was killed is an orphan', async () => {
  await record({ owner: await endedProcess(), running: running(idle(dbFile)) });
  expect(await claimDatabase(dbFile)).toMatchObject({ kind: 'running', orphan: true });
});

test('a record whose process id now belongs to another program is a leftover', async () => {
  await record({ owner: await endedProcess(), running: running(idle('something else')) });
  expect((await claimDatabase(dbFile)).kind).toBe('free');
});

test('a record of a process that died while it started its server is a leftover', async () => {
  await record({ owner: await endedProcess() });
  expect((await claimDatabase(dbFile)).kind).toBe('free');
});

test('a released file leaves nothing behind', async () => {
  const claim = await claimDatabase(dbFile);
  await claim.release();
  expect(await readdir(folder)).toEqual([]);
});

test('waiting for another starter ends when it is aborted', async () => {
  await claimDatabase(dbFile);
  await expect(claimDatabase(dbFile, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
