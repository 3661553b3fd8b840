import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { quietRuntime } from '../../src/cli/quiet-runtime.ts';

/** An event's time in ms since the epoch. */
const ms = (time: { seconds?: unknown; nanos?: number | null } | null | undefined) =>
  Number(time?.seconds) * 1000 + (time?.nanos ?? 0) / 1e6;

beforeAll(() => quietRuntime());

test('the median gap between the tasks of a 20-step run is under 30 ms', async () => {
  const address = process.env['TURNLOOP_TEST_ADDRESS']!;
  const taskQueue = 'pace';
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  try {
    const worker = await Worker.create({
      connection: native,
      taskQueue,
      workflowsPath: fileURLToPath(new URL('./steps-workflow.ts', import.meta.url)),
      activities: { step: async (n: number) => n },
    });
    const history = await worker.runUntil(async () => {
      const client = new Client({ connection });
      const run = await client.workflow.start('steps', { taskQueue, workflowId: 'pace', args: [20] });
      await run.result();
      return run.fetchHistory();
    });
    // From one activity's completion to the start of the next: a workflow task and two hand-overs are in between.
    const done = history.events!.filter((event) => event.activityTaskCompletedEventAttributes);
    const started = history.events!.filter((event) => event.activityTaskStartedEventAttributes);
    expect(done).toHaveLength(20);
    const gaps = done.slice(0, -1).map((event, at) => ms(started[at + 1]!.eventTime) - ms(event.eventTime));
    expect(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]).toBeLessThan(30);
  } finally {
    await connection.close();
    await native.close();
  }
});
