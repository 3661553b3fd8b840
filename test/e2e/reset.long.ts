import { PGlite } from '@electric-sql/pglite';
import { z } from 'zod';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime, type Scripted } from './harness.ts';
import { eventsOf } from './history.ts';

type Point = NonNullable<Awaited<ReturnType<typeof eventsOf>>[number]['eventId']> | null;

let db: PGlite;
/** Idempotency keys in the order in which the tool ran. */
let executed: string[];
/** Done while the first booking is made. */
let meanwhile: () => Promise<void>;

const book = defineTool({
  name: 'book',
  description: 'Books seats; the same booking again is the same row.',
  parameters: z.object({ seats: z.number().int() }),
  async execute({ seats }, { idempotencyKey }) {
    executed.push(idempotencyKey);
    if (executed.length === 1) await meanwhile();
    await db.query('INSERT INTO bookings VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [
      idempotencyKey,
      seats,
    ]);
    const { rows } = await db.query<{ seats: number }>('SELECT seats FROM bookings WHERE key = $1', [
      idempotencyKey,
    ]);
    return `booked ${rows[0]?.seats} seats`;
  },
});

/** Two bookings that are alike in one reply, then another, then the first again: four calls, four rows. */
const rounds: number[][] = [[2, 2], [5], [2]];

/** What to do next follows from what was done, as with a real model: the script has no memory of its own. */
const reply: Scripted = ({ messages }) => {
  const round = rounds[messages.filter(({ role }) => role === 'assistant').length];
  if (round === undefined) return { content: 'Booked.' };
  return {
    toolCalls: round.map((seats, i) => ({ id: `c${i}`, name: 'book', arguments: JSON.stringify({ seats }) })),
  };
};

describe('a run with side effects that is reset', () => {
  let runtime: Runtime;

  beforeAll(async () => {
    db = await PGlite.create();
    await db.exec('CREATE TABLE bookings (key text PRIMARY KEY, seats integer NOT NULL)');
    const agent = defineAgent({
      name: 'clerk',
      instructions: 'You book seats.',
      model: 'any',
      tools: [book],
    });
    runtime = await startRuntime({ agents: [agent], replies: [reply] });
  });
  afterAll(async () => {
    await runtime.stop();
    await db.close();
  });

  beforeEach(async () => {
    executed = [];
    meanwhile = async () => {};
    await db.exec('DELETE FROM bookings');
  });

  const rows = async (): Promise<{ key: string; seats: number }[]> =>
    (await db.query<{ key: string; seats: number }>('SELECT key, seats FROM bookings ORDER BY key')).rows;

  /** The events that a run can be reset to. */
  const pointsOf = async (run: RunHandle): Promise<Point[]> =>
    (await eventsOf(run))
      .filter((event) => event.workflowTaskCompletedEventAttributes)
      .map(({ eventId }) => eventId ?? null);

  /** Resets a run of the chain with this workflow id, and runs the tools from there. */
  async function reset(id: string, runId: string, point: Point | undefined): Promise<RunHandle> {
    executed = [];
    await runtime.client.temporal.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: id, runId },
      workflowTaskFinishEventId: point ?? null,
      requestId: `${runId} to ${String(point)}`,
      reason: 'test',
    });
    const run = runtime.client.run(id);
    expect([`reset to ${String(point)}`, await run.result()]).toEqual([
      `reset to ${String(point)}`,
      expect.objectContaining({ text: 'Booked.', stopReason: 'completed' }),
    ]);
    return run;
  }

  test('goes on from every point, with each booking one row and a message that came in one message', async () => {
    const id = 'reset-everywhere';
    meanwhile = () => runtime.client.run(id).send('For Ada.');
    const run = await runtime.client.start('clerk', 'Book as agreed.', { taskQueue: runtime.taskQueue, id });
    expect(await run.result()).toMatchObject({ text: 'Booked.', stopReason: 'completed' });
    meanwhile = async () => {};
    const [before, transcript] = [await rows(), await run.transcript()];
    expect(before.map(({ seats }) => seats).toSorted((a, b) => a - b)).toEqual([2, 2, 2, 5]);
    expect(executed).toHaveLength(4);
    expect(transcript.filter(({ content }) => content === 'For Ada.')).toHaveLength(1);

    const { runId } = await run.temporal.describe();
    const points = await pointsOf(run);
    // One task at least for each of the four replies and for each round of calls.
    expect(points.length).toBeGreaterThanOrEqual(7);
    const repeated: number[] = [];
    for (const point of points) {
      const again = await reset(id, runId, point);
      expect([String(point), await rows()]).toEqual([String(point), before]);
      expect([String(point), await again.transcript()]).toEqual([String(point), transcript]);
      repeated.push(executed.length);
    }
    // From the start all is done again, from the end nothing.
    expect([repeated[0], repeated.at(-1)]).toEqual([4, 0]);
  });

  test('keeps its keys when what a reset left is reset again', async () => {
    const run = await runtime.client.start('clerk', 'Book as agreed.', { taskQueue: runtime.taskQueue });
    await run.result();
    const before = await rows();
    for (const which of [2, 1, 0]) {
      const newest = runtime.client.run(run.id);
      const { runId } = await newest.temporal.describe();
      await reset(run.id, runId, (await pointsOf(newest))[which]);
      expect(executed.length).toBeGreaterThan(0);
      expect(await rows()).toEqual(before);
    }
  });
});
