import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../src/client.ts';
import { completion, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type ChatRequest, type Runtime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';
import { eventsOf } from '../e2e/history.ts';

const agent = defineAgent({ name: 'parrot', instructions: 'You repeat.', model: 'any', tools: [] });

const lastText = (request: ChatRequest | undefined): string => String(request?.messages.at(-1)?.content);
/** Answers with the text of the request's last message. */
const parrot = (request: unknown) => ({ content: `You said: ${lastText(request as ChatRequest)}` });
/** A reply that begins and never ends. */
const silent: RawReply = { headers: { 'content-type': 'text/event-stream' }, body: '', end: 'hang' };
const tenMinutes = 600_000;

describe('a conversation', () => {
  let runtime: Runtime;
  let agents: AgentClient;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [parrot] });
    agents = runtime.client;
  });
  afterAll(() => runtime.stop());

  const idle = { keepOpenMs: tenMinutes };
  const start = (input: string | [] = 'Hello.', options = {}) =>
    agents.start('parrot', input, { taskQueue: runtime.taskQueue, ...idle, ...options });
  const sendOptions = () => ({ agent: 'parrot', taskQueue: runtime.taskQueue, ...idle });

  test('answers each question with the end of the turn that took it', async () => {
    const run = await start();
    await until('its start is answered', async () => (await run.state()).phase === 'idle');
    expect(await run.ask('One?')).toMatchObject({ text: 'You said: One?', stopReason: 'completed', turn: 2 });
    const [second, third] = await Promise.all([run.ask('Two?', { id: 'two' }), run.ask('Three?')]);
    expect(second).toMatchObject({ messageId: 'two', stopReason: 'completed' });
    // Asked at once, they may share a turn, and then they share its end.
    if (third.turn === second.turn) expect(third.text).toBe(second.text);
    else expect([second.text, third.text].toSorted()).toEqual(['You said: Three?', 'You said: Two?']);
    await run.cancel();
  });

  test('gives the same answer to a message that is asked again, by another client and after the end too', async () => {
    const run = await start();
    const answer = await run.ask('Once?', { id: 'm1' });
    const again = await AgentClient.connect({ address: process.env['TURNLOOP_TEST_ADDRESS']! });
    try {
      expect(await again.run(run.id).ask('Once?', { id: 'm1' })).toEqual(answer);
      await run.cancel();
      await run.result();
      expect(await again.run(run.id).ask('Once?', { id: 'm1' })).toEqual(answer);
      await expect(again.run(run.id).ask('Twice?', { id: 'm2' })).rejects.toMatchObject({
        name: 'RunEndedError',
        id: run.id,
        messageId: 'm2',
        status: 'CANCELLED',
      });
    } finally {
      await again.close();
    }
    const users = (await run.transcript()).filter(({ role }) => role === 'user');
    expect(users).toHaveLength(2);
  });

  test('is started by the first message sent to its id and goes on with the next', async () => {
    const id = `talk-${randomUUID()}`;
    await agents.send(id, 'First.', { ...sendOptions(), messageId: 'a' });
    const run = agents.run(id);
    expect(await run.ask('First.', { id: 'a' })).toMatchObject({ text: 'You said: First.', turn: 1 });
    await agents.send(id, 'Second.', { ...sendOptions(), messageId: 'b' });
    await agents.send(id, 'Second.', { ...sendOptions(), messageId: 'b' });
    expect(await run.ask('Second.', { id: 'b' })).toMatchObject({ text: 'You said: Second.', turn: 2 });
    expect((await run.state()).waitingMessages).toBe(0);
    expect((await run.transcript()).filter(({ role }) => role === 'user')).toEqual([
      { role: 'user', content: 'First.' },
      { role: 'user', content: 'Second.' },
    ]);
    await run.cancel();
  });

  test('that has ended is not started again by a message that it has answered, but by a new one', async () => {
    const id = `talk-${randomUUID()}`;
    const once = { agent: 'parrot', taskQueue: runtime.taskQueue };
    const run = await agents.send(id, 'First.', { ...once, messageId: 'a' });
    expect(await run.result()).toMatchObject({ text: 'You said: First.' });
    const { runId } = await run.describe();
    await agents.send(id, 'First.', { ...once, messageId: 'a' });
    expect((await run.describe()).runId).toBe(runId);
    await agents.send(id, 'Second.', { ...once, messageId: 'b' });
    expect((await run.describe()).runId).not.toBe(runId);
    expect(await run.result()).toMatchObject({ text: 'You said: Second.', turns: 1 });
  });

  test('has one serial transcript when 20 write to it at once', async () => {
    const id = `talk-${randomUUID()}`;
    const texts = Array.from({ length: 20 }, (_, i) => `message ${i}.`);
    await Promise.all(texts.map((text) => agents.send(id, text, { ...sendOptions(), messageId: text })));
    const run = agents.run(id);
    const answers = await Promise.all(texts.map((text) => run.ask(text, { id: text })));
    expect(answers.every(({ stopReason }) => stopReason === 'completed')).toBe(true);
    const transcript = (await run.transcript()).slice(1);
    // Questions and answers by turns: no two of a kind behind each other.
    expect(transcript.map(({ role }) => role)).toEqual(
      transcript.map((_, i) => (i % 2 === 0 ? 'user' : 'assistant')),
    );
    const said = transcript
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => String(content).split('\n\n'));
    expect(said.toSorted()).toEqual(texts.toSorted());
    await run.cancel();
  });

  test('stops waiting for an answer at the time limit, and the message stays in the run', async () => {
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { model } = runtime.playRaw(async () => {
      await answered;
      return { body: completion({ content: 'Late.' }) };
    });
    const run = await start('Begin.', { model });
    await expect(run.ask('Hurry!', { id: 'm', timeoutMs: 300 })).rejects.toMatchObject({
      name: 'AnswerTimeoutError',
      messageId: 'm',
    });
    answer();
    expect(await run.ask('Hurry!', { id: 'm' })).toMatchObject({ text: 'Late.' });
    await run.cancel();
  });

  test('is interrupted by a message, whose answer is the turn that goes on', async () => {
    const { model, endpoint } = runtime.playRaw((_, index) =>
      index === 0 ? silent : { body: completion({ content: 'Shorter.' }) },
    );
    const run = await start('Tell a story.', { model });
    await endpoint.received(1);
    const asked = run.ask('Shorter!', { interrupt: true });
    expect(await asked).toMatchObject({ text: 'Shorter.', turn: 1 });
    await run.interrupt('Again!');
    await until(
      'it is answered',
      async () => (await run.state()).turn === 2 && (await run.state()).phase === 'idle',
    );
    await run.cancel();
  });

  test('that is cancelled resolves with what there is, and a message that no turn took gets an error', async () => {
    const { model, endpoint } = runtime.playRaw([silent]);
    const run = await start('Begin.', { model });
    await endpoint.received(1);
    const asked = run.ask('And this?');
    asked.catch(() => {});
    await until('the message waits', async () => (await run.state()).waitingMessages === 1);
    await run.cancel();
    expect(await run.result()).toMatchObject({ stopReason: 'cancelled' });
    await expect(asked).rejects.toMatchObject({ name: 'RunEndedError', status: 'CANCELLED' });
    await expect(run.send('Too late.')).rejects.toMatchObject({ name: 'RunEndedError' });
    await run.cancel();
  });

  test('refuses a blank message before anything is sent', async () => {
    const run = await start();
    await expect(run.send(' \n')).rejects.toThrow('content is blank');
    await expect(run.ask([])).rejects.toThrow('content is blank');
    await expect(run.send(7 as never)).rejects.toThrow('content is 7');
    await run.cancel();
    await run.result();
    expect(JSON.stringify(await eventsOf(run))).not.toContain('workflowExecutionSignaledEventAttributes');
  });

  test('keeps its metadata, title and agent where describe shows them', async () => {
    const run = await start('What is   the\nweather?', { metadata: { user: 'u-1' } });
    expect(await run.describe()).toMatchObject({
      id: run.id,
      agent: 'parrot',
      title: 'What is the weather?',
      metadata: { user: 'u-1' },
      status: 'RUNNING',
      taskQueue: runtime.taskQueue,
    });
    await run.cancel();
    await run.result();
    expect(await run.describe()).toMatchObject({ status: 'CANCELLED', closedAt: expect.any(Date) });
    await expect(start('x', { metadata: { big: 'x'.repeat(40_000) } })).rejects.toThrow(
      /metadata has 40\d+ bytes/u,
    );
  });

  test('knows its agents: model, limits and tools by name', async () => {
    const { taskQueue } = runtime;
    expect(await agents.describe('parrot', { taskQueue })).toMatchObject({
      name: 'parrot',
      model: 'any',
      tools: [{ name: 'read_result', schema: { type: 'object' } }],
    });
    expect(await agents.describe(undefined, { taskQueue })).toHaveLength(1);
    await expect(agents.describe('parott', { taskQueue })).rejects.toMatchObject({
      name: 'UnknownAgentError',
      message: expect.stringContaining('known are parrot') as unknown,
    });
  });
});
