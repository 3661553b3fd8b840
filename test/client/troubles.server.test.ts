import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../src/client.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';

const agent = defineAgent({ name: 'host', instructions: 'You answer.', model: 'any', tools: [] });
const keepOpenMs = 600_000;

async function timed<T>(work: Promise<T>): Promise<{ ms: number; error: unknown }> {
  const startedAt = Date.now();
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { ms: Date.now() - startedAt, error };
}

describe('a client', () => {
  let runtime: Runtime;
  let agents: AgentClient;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [{ content: 'Here you are.' }] });
    agents = runtime.client;
  });
  afterAll(() => runtime.stop());
  const onQueue = () => ({ taskQueue: runtime.taskQueue });

  test('says of an unknown run that there is none, whatever is asked of it', async () => {
    const run = agents.run(`nobody-${randomUUID()}`);
    const error = {
      name: 'RunNotFoundError',
      id: run.id,
      message: expect.stringContaining('namespace default') as unknown,
    };
    await expect(run.result()).rejects.toMatchObject(error);
    await expect(run.state()).rejects.toMatchObject(error);
    await expect(run.transcript()).rejects.toMatchObject(error);
    await expect(run.events().next()).rejects.toMatchObject(error);
    await expect(run.ask('Hello?')).rejects.toMatchObject(error);
    await expect(run.send('Hello?')).rejects.toMatchObject(error);
    await expect(run.cancel()).rejects.toMatchObject(error);
    await expect(run.describe()).rejects.toMatchObject(error);
  });

  test('does not start a second run with the id of one that is under way', async () => {
    const run = await agents.start('host', 'Hello.', { ...onQueue(), keepOpenMs });
    await expect(agents.start('host', 'Hello.', { ...onQueue(), id: run.id })).rejects.toMatchObject({
      name: 'RunAlreadyExistsError',
      id: run.id,
      status: 'RUNNING',
      message: expect.stringContaining(`agents.send("${run.id}"`) as unknown,
    });
    await run.cancel();
  });

  test('starts a run with the id of one that has ended as its policy says, and each handle stays with its run', async () => {
    const id = `again-${randomUUID()}`;
    const first = await agents.start('host', 'First.', { ...onQueue(), id });
    await first.result();
    for (const idReuse of ['reject', 'after-failure'] as const) {
      await expect(agents.start('host', 'x', { ...onQueue(), id, idReuse })).rejects.toMatchObject({
        name: 'RunAlreadyExistsError',
        status: 'COMPLETED',
      });
    }
    const second = await agents.start('host', 'Second.', { ...onQueue(), id });
    await second.result();
    expect((await first.transcript())[1]).toEqual({ role: 'user', content: 'First.' });
    expect((await second.transcript())[1]).toEqual({ role: 'user', content: 'Second.' });
    expect((await agents.run(id).transcript())[1]).toEqual({ role: 'user', content: 'Second.' });
    await expect(agents.start('host', 'x', { ...onQueue(), id, idReuse: 'maybe' as never })).rejects.toThrow(
      'idReuse is "maybe": give one of allow, reject, after-failure',
    );
  });

  test('tells a terminated run apart, and still reads what it had', async () => {
    const run = await agents.start('host', 'Hello.', { ...onQueue(), keepOpenMs });
    await run.ask('There?');
    const waiting = run.result();
    await run.temporal.terminate('out of order');
    await expect(waiting).rejects.toMatchObject({
      name: 'RunTerminatedError',
      message: expect.stringContaining('(out of order)') as unknown,
    });
    await expect(run.ask('Still there?', { id: 'late' })).rejects.toMatchObject({
      name: 'RunTerminatedError',
    });
    expect(await run.ask('There?', { id: 'never-sent' }).catch((error: Error) => error.name)).toBe(
      'RunTerminatedError',
    );
    expect(JSON.stringify(await run.transcript())).toContain('There?');
    const events = [];
    for await (const event of run.events()) events.push(event.kind);
    expect(events).toContain('turn-ended');
  });

  test('tells a run apart that ran into a time-out of Temporal', async () => {
    const handle = await agents.temporal.workflow.start('agentWorkflow', {
      workflowId: `short-${randomUUID()}`,
      args: [{ version: 1, agent: 'host', input: 'Hello.', keepOpenMs }],
      workflowExecutionTimeout: '1s',
      ...onQueue(),
    });
    const run = agents.run(handle.workflowId);
    await expect(run.result()).rejects.toMatchObject({ name: 'RunTimedOutError' });
    await expect(run.ask('There?', { id: 'm' })).rejects.toMatchObject({ name: 'RunTimedOutError' });
  });

  test('says within 10 s that no worker polls, instead of hanging, and the run goes on once one does', async () => {
    const taskQueue = `nobody-${randomUUID()}`;
    const run = await agents.start('host', 'Hello.', { taskQueue, keepOpenMs });
    const error = {
      name: 'NoWorkerError',
      taskQueue,
      message: expect.stringContaining('createAgentWorker') as unknown,
    };
    const tried = await Promise.all([
      timed(run.result()),
      timed(run.ask('There?', { id: 'm1' })),
      timed(
        (async () => {
          for await (const _ of run.events());
        })(),
      ),
      timed(agents.describe('host', { taskQueue })),
    ]);
    for (const each of tried) {
      expect(each.error).toMatchObject(error);
      expect(each.ms).toBeLessThan(13_000);
    }
    expect(await run.state()).toMatchObject({ agent: 'host', phase: 'opening' });
    const waiting = run.ask('And now?', { id: 'm2', waitForWorker: true });
    const worker = await runtime.startWorker({ taskQueue });
    expect(await waiting).toMatchObject({ text: 'Here you are.' });
    expect(await run.ask('There?', { id: 'm1' })).toMatchObject({ text: 'Here you are.' });
    await run.cancel();
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled' });
    await worker.stop();
  });

  test('reads a run whose worker is gone from its history', async () => {
    const taskQueue = `gone-${randomUUID()}`;
    const worker = await runtime.startWorker({ taskQueue });
    const run = await agents.start('host', 'Hello.', { taskQueue, keepOpenMs });
    await run.ask('There?', { id: 'm' });
    await until('it is idle', async () => (await run.state()).phase === 'idle');
    const read = async () => ({ state: await run.state(), transcript: await run.transcript() });
    const live = await read();
    await worker.stop();
    expect(await read()).toEqual(live);
    await run.temporal.terminate();
  });

  test('refuses what no signal can carry before anything is sent', async () => {
    const run = await agents.start('host', 'Hello.', { ...onQueue(), keepOpenMs });
    const huge = 'x'.repeat(32_000_001);
    const error = {
      name: 'MessageTooLargeError',
      message: expect.stringContaining('at most 32000000') as unknown,
    };
    await expect(run.send(huge)).rejects.toMatchObject(error);
    await expect(agents.start('host', huge, onQueue())).rejects.toMatchObject(error);
    await expect(agents.send(run.id, huge, { agent: 'host', ...onQueue() })).rejects.toMatchObject(error);
    await run.cancel();
  });

  test('takes the place of Temporal from its configuration file, and what is given goes first', async () => {
    await expect(
      AgentClient.connect({
        configFile: new URL('./temporal.toml', import.meta.url).pathname,
        profile: 'missing',
      }),
    ).rejects.toThrow(/configuration can't be read.*missing/su);
    const client = await AgentClient.connect({
      configFile: new URL('./temporal.toml', import.meta.url).pathname,
      profile: 'elsewhere',
      address: process.env['TURNLOOP_TEST_ADDRESS']!,
    });
    expect(client.temporal.options.namespace).toBe('from-the-file');
    await client.close();
  });

  test('names the address and the remedy when no server answers', async () => {
    const nobody = AgentClient.connect({ address: '127.0.0.1:1', connectTimeout: 500 });
    await expect(nobody).rejects.toThrow(/no Temporal server answers at 127\.0\.0\.1:1 .*TEMPORAL_ADDRESS/su);
  });
});
