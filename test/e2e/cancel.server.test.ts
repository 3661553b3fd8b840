import { foldHistory } from '../../src/client/fold/fold-history.ts';
import type { RunInput } from '../../src/contract.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { chunk, completion, events, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type ChatRequest, type Runtime } from './harness.ts';
import { deaf, firedOf, hold, inHand } from './held-tool.ts';
import { eventsOf } from './history.ts';
import { calls } from './tool-script.ts';
import { until } from './until.ts';

const agent = defineAgent({ name: 'ender', instructions: 'You end.', model: 'none', tools: [hold, deaf] });

const hanging: RawReply = {
  headers: { 'content-type': 'text/event-stream' },
  body: events([chunk({ role: 'assistant', content: 'As far as I got' })], { done: false }),
  end: 'hang',
};

describe('a run that is cancelled', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  const start = (model: string, options = {}): Promise<RunHandle> =>
    runtime.client.start('ender', 'Begin.', { taskQueue: runtime.taskQueue, model, ...options });
  const statusOf = async (run: RunHandle): Promise<string> => (await run.temporal.describe()).status.name;

  test('ends its model request within 2 s, is Canceled, and keeps the text in the memo', async () => {
    const { model, endpoint } = runtime.playRaw([hanging]);
    const run = await start(model);
    await endpoint.received(1);
    const cancelledAt = Date.now();
    await run.cancel();
    await endpoint.abandoned(1);
    expect(Date.now() - cancelledAt).toBeLessThan(2_000);
    const result = await run.result();
    expect(result).toMatchObject({ text: 'As far as I got', stopReason: 'cancelled', turns: 1 });
    const description = await run.temporal.describe();
    expect(description.status.name).toBe('CANCELLED');
    expect(description.memo).toMatchObject({ 'turnloop.result': result });
    expect((await run.transcript()).at(-1)?.content).toBe('As far as I got\n\n[cancelled]');
  });

  test.each([
    ['for good', 400],
    ['for a while', 503],
  ])('counts the request that fails %s before the cancel reaches it', async (_, status) => {
    const { model, endpoint } = runtime.playRaw(async () => {
      await (await run).cancel();
      // Answered behind the cancel: the run waits for what the request says now.
      await (await run).state();
      return { status, body: { error: { message: 'not now' } } };
    });
    const run = start(model);
    const result = await (await run).result();
    expect(result).toMatchObject({ stopReason: 'cancelled', usage: { requests: 0, failedRequests: 1 } });
    expect(endpoint.requests).toHaveLength(1);
    const converter = runtime.client.temporal.options.loadedDataConverter;
    expect((await foldHistory(await eventsOf(await run), converter)).usage).toEqual(result.usage);
  });

  test('stops its tool within 2 s', async () => {
    const script = runtime.play([calls({ name: 'hold', args: { id: 'e1' } })]);
    const run = await start(script.model);
    await until('the tool runs', () => inHand.has('e1'));
    const fired = firedOf('e1');
    const cancelledAt = Date.now();
    await run.cancel();
    await fired;
    expect(Date.now() - cancelledAt).toBeLessThan(2_000);
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled' });
    expect(script.requests()).toHaveLength(1);
    const transcript = await run.transcript();
    expect(transcript.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(transcript.at(-2)?.content).toMatch(/^Cancelled.*outcome.*unknown/su);
  });

  test('waits for a tool that does not listen no longer than cancelGraceMs', async () => {
    const script = runtime.play([calls({ name: 'deaf', args: { id: 'e2' } })]);
    const run = await start(script.model, { limits: { cancelGraceMs: 700 } });
    await until('the tool runs', () => inHand.has('e2'));
    const cancelledAt = Date.now();
    await run.cancel();
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled' });
    const tookMs = Date.now() - cancelledAt;
    inHand.get('e2')?.end();
    expect(tookMs).toBeGreaterThanOrEqual(700);
    expect(tookMs).toBeLessThan(2_500);
    expect((await run.transcript()).at(-2)?.content).toMatch(/outcome unknown/u);
  });

  test('while it is kept open ends with its last answer', async () => {
    const script = runtime.play([{ content: 'Here.' }]);
    const run = await start(script.model, { keepOpenMs: 60_000 });
    await until('the turn has ended', async () => (await run.state()).phase === 'idle');
    await run.cancel();
    expect(await run.result()).toMatchObject({ text: 'Here.', stopReason: 'cancelled' });
    expect(await statusOf(run)).toBe('CANCELLED');
  });

  test('before it began is Canceled, and asks no model', async () => {
    const script = runtime.play([{ content: 'Too late.' }]);
    const client = runtime.client.temporal;
    const workflowId = `early-${Math.random()}`;
    // Nobody polls this queue until the cancel is there, so both arrive in the run's first task.
    const taskQueue = `late-${Math.random()}`;
    const input: RunInput = { version: 1, agent: 'ender', input: 'Begin.', model: script.model };
    const handle = await client.workflow.start('agentWorkflow', { workflowId, taskQueue, args: [input] });
    await handle.cancel();
    const worker = await runtime.startWorker({ taskQueue });
    const run = runtime.client.run(workflowId);
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled', text: '' });
    expect(await statusOf(run)).toBe('CANCELLED');
    expect(script.requests()).toHaveLength(0);
    await worker.stop();
  });
});

describe('a run whose time is up', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  test('ends what is in flight, asks once more without tools, and stops with budget', async () => {
    const { model, endpoint } = runtime.playRaw([hanging, { body: completion({ content: 'That is all.' }) }]);
    const run = await runtime.client.start('ender', 'Begin.', {
      taskQueue: runtime.taskQueue,
      model,
      limits: { timeoutMs: 600 },
    });
    await endpoint.abandoned(1);
    expect(await run.result()).toMatchObject({ text: 'That is all.', stopReason: 'budget', iterations: 1 });
    expect((await run.temporal.describe()).status.name).toBe('COMPLETED');
    const last = endpoint.requests[1]?.body as ChatRequest | undefined;
    expect(last?.tools).toBeUndefined();
    expect(endpoint.requests).toHaveLength(2);
  });
});
