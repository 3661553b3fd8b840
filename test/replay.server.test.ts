import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { fetchHistory } from '../src/cli/fetch-history.ts';
import { quietRuntime } from '../src/cli/quiet-runtime.ts';
import { replayHistory } from '../src/replay.ts';
import { scratchFolder } from './server/scratch.ts';

const address = process.env['TURNLOOP_TEST_ADDRESS']!;
const code = (name: string) => fileURLToPath(new URL(`./replay/${name}.ts`, import.meta.url));
const server = { address, namespace: 'default', connectOptions: { address } };

let folder: string;
let remove: () => Promise<void>;
/** What the server has, and the same as the UI exports it. */
let history: unknown;
let exported: unknown;
let file: string;

beforeAll(async () => {
  quietRuntime();
  ({ path: folder, remove } = await scratchFolder());
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const taskQueue = 'replay';
  const activities = { look: async () => {}, write: async () => {} };
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowsPath: code('recorded'),
    activities,
  });
  await worker.runUntil(() =>
    new Client({ connection }).workflow.execute('replayed', { taskQueue, workflowId: 'replayed' }),
  );
  await connection.close();
  await native.close();
  history = await fetchHistory(server, 'replayed');
  const json = historyToJSON(history as Parameters<typeof historyToJSON>[0]);
  exported = JSON.parse(json);
  file = join(folder, 'history.json');
  await writeFile(file, json);
});
afterAll(() => remove());

test('a history replays cleanly against the code that made it, as fetched and as exported', async () => {
  const fetched = await replayHistory(history, code('recorded'));
  expect(fetched).toEqual({ ok: true, events: (exported as { events: unknown[] }).events.length });
  expect(await replayHistory(exported, code('recorded'))).toEqual(fetched);
});

test('another activity in the same place is named beside the one the history has', async () => {
  expect(await replayHistory(exported, code('other-activity'))).toEqual({
    ok: false,
    eventId: 16,
    message: 'event 16: the history has activity "write", the code wants activity "look"',
  });
});

test('a dropped activity diverges at the event that scheduled it', async () => {
  expect(await replayHistory(history, code('dropped-activity'))).toEqual({
    ok: false,
    eventId: 5,
    message: 'event 5: the history has activityTaskScheduled "look", the code wants: timer',
  });
});

test('an added activity diverges at the end that the history has in its place', async () => {
  const replayed = await replayHistory(exported, code('added-activity'));
  expect(replayed).toMatchObject({ ok: false, eventId: 22 });
  expect(replayed).toHaveProperty('message', expect.stringContaining('the code wants: activity'));
});

test('code that throws on replay says what it throws', async () => {
  expect(await replayHistory(exported, code('throwing'))).toMatchObject({
    ok: false,
    message: expect.stringContaining('no such thing'),
  });
});

test('a workflow type that the code lacks is named', async () => {
  expect(await replayHistory(exported, code('renamed'))).toMatchObject({
    ok: false,
    message: expect.stringContaining("workflow of type 'replayed'"),
  });
});

test.each([[null], [{}], [{ events: [] }], ['text']])('%j is no history', async (value) => {
  await expect(replayHistory(value, code('recorded'))).rejects.toThrow(
    'history.events is not a list of events',
  );
});

describe('turnloop replay', () => {
  async function turnloop(...args: string[]) {
    const script = fileURLToPath(new URL('../src/cli/turnloop.ts', import.meta.url));
    const child = spawn(process.execPath, [script, 'replay', ...args], {
      env: { ...process.env, TEMPORAL_ADDRESS: address },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [status]] = await Promise.all([
      child.stdout.setEncoding('utf8').toArray(),
      child.stderr.setEncoding('utf8').toArray(),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { status, out: out.join(''), err: err.join('') };
  }

  test('a clean history file ends with exit code 0 and its number of events', async () => {
    expect(await turnloop(file, '--workflows', code('recorded'))).toEqual({
      status: 0,
      out: `${file} replays cleanly: 22 events\n`,
      err: '',
    });
  });

  test('a diverging one ends with exit code 1 and the place', async () => {
    const { status, err } = await turnloop(file, '--workflows', code('dropped-activity'));
    expect(status).toBe(1);
    expect(err).toBe(
      `${file} diverges from today's code at event 5: the history has activityTaskScheduled "look", the code wants: timer\n`,
    );
  });

  test('a workflow id is fetched from the server', async () => {
    const { status, out } = await turnloop('replayed', '--workflows', code('recorded'));
    expect({ status, out }).toEqual({ status: 0, out: 'replayed replays cleanly: 22 events\n' });
  });

  test('an unknown workflow id is a clear error', async () => {
    const { status, err } = await turnloop('never-was');
    expect(status).toBe(1);
    expect(err).toContain('No run with workflow id "never-was" in namespace default');
  });

  test('a missing file is a clear error', async () => {
    const { status, err } = await turnloop('./missing.json');
    expect(status).toBe(1);
    expect(err).toContain("The history file ./missing.json can't be read: ENOENT");
  });

  test('a file that is no JSON is a clear error that says how to export one', async () => {
    const text = join(folder, 'text.json');
    await writeFile(text, 'EVENTS');
    const { status, err } = await turnloop(text);
    expect(status).toBe(1);
    expect(err).toMatch(/text\.json is no JSON .*Download/);
  });

  test('without a subject it says what it takes, exit code 2', async () => {
    const { status, err } = await turnloop();
    expect(status).toBe(2);
    expect(err).toContain('<subject> missing: turnloop replay <subject>');
  });
});
