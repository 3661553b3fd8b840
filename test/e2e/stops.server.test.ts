import type { RunHandle } from '../../src/client/run-handle.ts';
import { chunk, completion, events, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { chainOf } from '../history/chain.ts';
import { expectSound } from '../history/sound-history.ts';
import {
  startRuntime,
  type ChatRequest,
  type Runtime,
  type RunningWorker,
  type Scripted,
} from './harness.ts';
import { deaf, firedOf, hold, inHand } from './held-tool.ts';
import { eventsOf, typesOf } from './history.ts';
import { calls, resultsIn } from './tool-script.ts';
import { until } from './until.ts';

const agent = defineAgent({ name: 'ender', instructions: 'You end.', model: 'none', tools: [hold, deaf] });

const hanging: RawReply = {
  headers: { 'content-type': 'text/event-stream' },
  body: events([chunk({ role: 'assistant', content: 'As far as I got' })], { done: false }),
  end: 'hang',
};
const says = (content: string): RawReply => ({ body: completion({ content }) });
const holds = (id: string): Scripted => calls({ name: 'hold', args: { id } });
const isDeaf = (id: string) => ({ name: 'deaf', args: { id } });

const unknown = /^Cancelled by the user, outcome unknown/u;
const notStarted = /^Cancelled before it started/u;

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime({ agents: [agent] });
});
afterAll(() => runtime.stop());

const start = (model: string, options = {}): Promise<RunHandle> =>
  runtime.client.start('ender', 'Begin.', { taskQueue: runtime.taskQueue, model, ...options });

const running = (id: string): Promise<void> => until(`call ${id} runs`, () => inHand.has(id));
const counted = async (run: RunHandle, type: string): Promise<number> =>
  typesOf(await eventsOf(run)).filter((each) => each === type).length;
const toolTexts = async (run: RunHandle): Promise<unknown[]> =>
  (await run.transcript()).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

describe('a call that ends when the round it was stopped in is long over', () => {
  test('is not taken for the call that stands in its place now', async () => {
    const script = runtime.play([calls(isDeaf('s1')), holds('s2'), { content: 'Done.' }]);
    const run = await start(script.model, { limits: { cancelGraceMs: 300 } });
    await running('s1');
    await run.send('Something else.', { interrupt: true });
    await running('s2');
    inHand.get('s1')!.end();
    await until(
      'the run has heard of its end',
      async () =>
        (await counted(run, 'ACTIVITY_TASK_COMPLETED')) === 4 &&
        typesOf(await eventsOf(run)).at(-1) === 'WORKFLOW_TASK_COMPLETED',
    );
    expect((await run.state()).calls).toMatchObject([{ name: 'hold', status: 'running' }]);
    inHand.get('s2')!.end();
    expect(await run.result()).toMatchObject({ text: 'Done.', turns: 1 });
    expect(await toolTexts(run)).toEqual([expect.stringMatching(unknown), 'held s2']);
    expect(resultsIn(script.requests()[2])).toEqual(['held s2']);
    await expectSound(run);
  });

  test('changes nothing in a run that has gone on as a new one', async () => {
    const script = runtime.play([calls(isDeaf('s3')), holds('s4'), { content: 'Done.' }]);
    const run = await start(script.model, { limits: { cancelGraceMs: 300, historyEventsMax: 10 } });
    await running('s3');
    await run.send('Something else.', { interrupt: true });
    await running('s4');
    inHand.get('s3')!.end();
    inHand.get('s4')!.end();
    expect(await run.result()).toMatchObject({ text: 'Done.', turns: 1 });
    expect(await toolTexts(run)).toEqual([expect.stringMatching(unknown), 'held s4']);
    const chain = await chainOf(runtime, run.id);
    expect(chain.length).toBeGreaterThan(1);
    for (const each of chain) await expectSound(each);
  });
});

test('a cancel behind an interrupt, while a call has time to say what it did, ends the run as cancelled', async () => {
  const script = runtime.play([calls(isDeaf('s5'), isDeaf('s6')), { content: 'Never asked for.' }]);
  const run = await start(script.model, { limits: { cancelGraceMs: 2_500 } });
  await running('s5');
  const fired = firedOf('s5');
  await run.send('Something else.', { interrupt: true });
  await fired;
  await run.cancel();
  expect(await run.result()).toMatchObject({ stopReason: 'cancelled', turns: 1 });
  inHand.get('s5')!.end();
  expect(script.requests()).toHaveLength(1);
  expect(await toolTexts(run)).toEqual([
    expect.stringMatching(/^Cancelled with the run, outcome unknown/u),
    expect.stringMatching(notStarted),
  ]);
  expect(inHand.has('s6')).toBe(false);
  expect(await counted(run, 'ACTIVITY_TASK_CANCEL_REQUESTED')).toBe(1);
  expect((await run.temporal.describe()).status.name).toBe('CANCELLED');
  await expectSound(run);
});

describe('calls that run one after the other, with one in their middle that is refused', () => {
  const chain = (first: string, second: string): Scripted =>
    calls(isDeaf(first), { name: 'nobody' }, isDeaf(second));

  test('the one behind it starts when the one before it has ended', async () => {
    const script = runtime.play([chain('s7', 's8'), { content: 'Done.' }]);
    const run = await start(script.model);
    await running('s7');
    expect(inHand.has('s8')).toBe(false);
    inHand.get('s7')!.end();
    await running('s8');
    inHand.get('s8')!.end();
    expect(await run.result()).toMatchObject({ text: 'Done.' });
    expect(resultsIn(script.requests()[1])).toEqual([
      'ended s7',
      expect.stringContaining('nobody'),
      'ended s8',
    ]);
    await expectSound(run);
  });

  test('one that still waits for another is not started behind a stop, and the refusal stays', async () => {
    const script = runtime.play([chain('s9', 's10'), { content: 'Done.' }]);
    const run = await start(script.model);
    await running('s9');
    const fired = firedOf('s9');
    await run.send('Something else.', { interrupt: true });
    await fired;
    inHand.get('s9')!.end();
    expect(await run.result()).toMatchObject({ text: 'Done.' });
    expect(resultsIn(script.requests()[1])).toEqual([
      'ended s9',
      expect.stringContaining('nobody'),
      expect.stringMatching(notStarted),
    ]);
    expect(inHand.has('s10')).toBe(false);
    await expectSound(run);
  });
});

/** Everything that `happens` reaches the run in one workflow task: no worker takes one until it has happened. */
async function inOneTask(
  run: RunHandle,
  worker: RunningWorker,
  taskQueue: string,
  happens: (ended: Promise<void>) => Promise<void>,
): Promise<void> {
  const before = await counted(run, 'WORKFLOW_TASK_COMPLETED');
  const stopped = worker.stop();
  // It takes no more tasks, and lets what it has in hand end.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await happens(stopped);
  expect(await counted(run, 'WORKFLOW_TASK_COMPLETED')).toBe(before);
  await runtime.startWorker({ taskQueue });
}

describe('a stop that reaches the run in one task with', () => {
  let worker: RunningWorker;
  let taskQueue: string;
  beforeEach(async () => {
    taskQueue = `stops-${Math.random()}`;
    worker = await runtime.startWorker({ taskQueue });
  });
  const startAlone = (model: string, options = {}): Promise<RunHandle> =>
    start(model, { taskQueue, ...options });

  test('a call’s result: the result is kept, and the message is answered', async () => {
    const script = runtime.play([calls(isDeaf('s11'), isDeaf('s12')), { content: 'Done.' }]);
    const run = await startAlone(script.model);
    await running('s11');
    await inOneTask(run, worker, taskQueue, async (stopped) => {
      inHand.get('s11')!.end();
      await stopped;
      await run.send('Something else.', { interrupt: true });
    });
    expect(await run.result()).toMatchObject({ text: 'Done.', turns: 1 });
    expect(await toolTexts(run)).toEqual(['ended s11', expect.stringMatching(notStarted)]);
    expect(script.requests()[1]?.messages.at(-1)?.content).toBe('Something else.');
    expect(inHand.has('s12')).toBe(false);
    await expectSound(run);
  });

  test('a call’s result: a cancel keeps the result too', async () => {
    const script = runtime.play([calls(isDeaf('s13')), { content: 'Never asked for.' }]);
    const run = await startAlone(script.model);
    await running('s13');
    await inOneTask(run, worker, taskQueue, async (stopped) => {
      inHand.get('s13')!.end();
      await stopped;
      await run.cancel();
    });
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled' });
    expect(await toolTexts(run)).toEqual(['ended s13']);
    expect(script.requests()).toHaveLength(1);
    await expectSound(run);
  });

  test('a reply: the reply is kept, the message is answered, and the next stop is heard', async () => {
    let say!: () => void;
    const said = new Promise<void>((resolve) => (say = resolve));
    const script = runtime.play([
      async () => {
        await said;
        return { content: 'First.' };
      },
      holds('s14'),
      { content: 'Third.' },
    ]);
    const run = await startAlone(script.model);
    await until('the model is asked', () => script.requests().length === 1);
    await inOneTask(run, worker, taskQueue, async (stopped) => {
      say();
      await stopped;
      await run.send('Something else.', { interrupt: true });
    });
    await running('s14');
    const fired = firedOf('s14');
    await run.send('And something else.', { interrupt: true });
    await fired;
    expect(await run.result()).toMatchObject({ text: 'Third.', turns: 1 });
    const last = script.requests()[2];
    expect(last?.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'user'],
      ...['assistant', 'tool', 'user'],
    ]);
    expect(last?.messages[2]?.content).toBe('First.');
    await expectSound(run);
  });
});

test('an interrupt leaves the time limit as it was: it counts from the start of the run', async () => {
  const { model, endpoint } = runtime.playRaw([hanging, hanging, says('That is all.')]);
  const startedAt = Date.now();
  const run = await start(model, { limits: { timeoutMs: 4_000 } });
  await endpoint.received(1);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await run.send('Something else.', { interrupt: true });
  await endpoint.received(2);
  await endpoint.abandoned(2);
  const stoppedMs = Date.now() - startedAt;
  expect(stoppedMs).toBeGreaterThan(3_500);
  expect(stoppedMs).toBeLessThan(6_500);
  expect(await run.result()).toMatchObject({ text: 'That is all.', stopReason: 'budget', turns: 1 });
  expect((endpoint.requests[2]?.body as ChatRequest | undefined)?.tools).toBeUndefined();
  const types = typesOf(await eventsOf(run));
  // The clock, and the grace of each stop, which its end makes superfluous.
  expect(types.filter((type) => type === 'TIMER_STARTED')).toHaveLength(3);
  expect(types.filter((type) => type === 'TIMER_CANCELED')).toHaveLength(2);
  await expectSound(run);
});

test('an interrupt leaves a conversation open for as long as it would have been', async () => {
  const script = runtime.play([holds('s15'), { content: 'Done.' }]);
  const run = await start(script.model, { keepOpenMs: 1_500 });
  await running('s15');
  await run.send('Something else.', { interrupt: true });
  await until('the turn is over', async () => (await run.state()).phase === 'idle');
  const idleSince = Date.now();
  expect(await run.result()).toMatchObject({ text: 'Done.', stopReason: 'completed', turns: 1 });
  expect(Date.now() - idleSince).toBeGreaterThan(1_000);
  await expectSound(run);
});
