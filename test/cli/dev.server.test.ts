import { readdir } from 'node:fs/promises';
import { scratchFolder } from '../server/scratch.ts';
import { endAllDevs, startDev, stopDev } from './dev.ts';
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

test('a server and a worker are up, the UI is where it says, a run from another terminal is answered, Ctrl-C ends all', async () => {
  const dev = await startDev(cwd);
  const run = await turnloop(['run', 'adder', 'What is 2 + 3?'], { cwd }).ended;
  expect(run.status).toBe(0);
  expect(run.out).toContain('Answer  It is 5, drawn in /tmp/sum-5.svg.');
  const [, uiUrl, path] = /^Run {2}(http:\/\/[^/]+)(\/namespaces\/default\/workflows\/adder-\S+)/m.exec(
    run.out,
  )!;
  const shown = await fetch(`${uiUrl}/api/v1${path}`);
  expect(await shown.json()).toMatchObject({
    workflowExecutionInfo: { type: { name: 'agentWorkflow' }, status: 'WORKFLOW_EXECUTION_STATUS_COMPLETED' },
  });

  const { out, ...ended } = await stopDev(cwd, dev);
  expect(ended).toEqual({ status: 0, err: '', serverAlive: false, served: false });
  expect(out).toMatch(
    /Temporal server: up at 127\.0\.0\.1:\d+ .*, runs are kept in \.turnloop\/temporal\.db\n/,
  );
  expect(out).toContain('Model: SCRIPTED');
  expect(out.split('\n').slice(-4)).toEqual([
    'Worker ready: adder on task queue turnloop',
    'Ask one from another terminal in this folder: turnloop run adder "…"',
    `UI: ${uiUrl}. Ctrl-C ends what runs here.`,
    '',
  ]);
});

test('what is wrong with the module shows before a server is started, exit code 1', async () => {
  const { status, out, err } = await turnloop(['dev', 'missing.ts'], { cwd }).ended;
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^There is no file .*missing\.ts\. Give one that exports `agents`\.\n$/);
  expect(await readdir(cwd)).toEqual([]);
});
