import { randomUUID } from 'node:crypto';
import type { Message } from '../../src/contract.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type ChatRequest, type Runtime } from '../e2e/harness.ts';
import { eventsOf, typesOf } from '../e2e/history.ts';

const agent = defineAgent({ name: 'reader', instructions: 'You read.', model: 'any', tools: [] });
/** Says how long the request's last message is. */
const measure = (request: unknown) => ({
  content: `${String((request as ChatRequest).messages.at(-1)?.content).length} characters`,
});
const large = (characters: number): string =>
  'Häuser '.repeat(Math.ceil(characters / 7)).slice(0, characters);

describe('a message of more than one payload', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [measure] });
  });
  afterAll(() => runtime.stop());
  const options = () => ({ taskQueue: runtime.taskQueue, keepOpenMs: 600_000 });

  test('arrives whole as a run’s input, into a run, and as the first message sent to an id', async () => {
    const { client } = runtime;
    const run = await client.start('reader', `${large(1_499_999)}.`, options());
    expect(await run.ask(`${large(799_999)}.`, { id: 'm' })).toMatchObject({ text: '800000 characters' });
    const sent = await client.send(`large-${randomUUID()}`, `${large(699_999)}.`, {
      agent: 'reader',
      messageId: 'first',
      ...options(),
    });
    expect(await sent.ask(`${large(699_999)}.`, { id: 'first' })).toMatchObject({
      text: '700000 characters',
    });
    const transcript = await run.transcript();
    expect(transcript.map(({ content }) => String(content).length).slice(1)).toEqual([
      1_500_000, 18, 800_000, 17,
    ]);
    for (const each of [run, sent]) {
      expect(typesOf(await eventsOf(each))).not.toContain('WORKFLOW_TASK_FAILED');
      await each.cancel();
    }
  });

  test('may be a whole conversation', async () => {
    const input: Message[] = [
      { role: 'user', content: large(800_000) },
      { role: 'assistant', content: 'Read.' },
      { role: 'user', content: large(700_000) },
    ];
    const run = await runtime.client.start('reader', input, { taskQueue: runtime.taskQueue });
    expect(await run.result()).toMatchObject({ text: '700000 characters' });
    expect((await run.transcript()).slice(1, 4)).toEqual(input);
  });
});
