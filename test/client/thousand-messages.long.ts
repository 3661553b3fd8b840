import { randomUUID } from 'node:crypto';
import type { RunHandle } from '../../src/client.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type ChatRequest, type Runtime } from '../e2e/harness.ts';

const agent = defineAgent({ name: 'clerk', instructions: 'You confirm.', model: 'any', tools: [] });
const messages = 1_000;
/**
 * Runs that the messages go to at a time. In all of them messages race with turns; in the first two with their ends as well:
 * those end as soon as no message waits.
 */
const runs = 8;
const ending = 2;
/** Senders at a time. */
const senders = 40;

describe('a thousand messages that race with turns and ends of runs', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [{ content: 'Confirmed.' }] });
  });
  afterAll(() => runtime.stop());

  test('are each answered once, or their sender gets an error', async () => {
    const start = (place: number): Promise<RunHandle> =>
      runtime.client.start('clerk', 'Begin.', {
        taskQueue: runtime.taskQueue,
        keepOpenMs: place < ending ? 0 : 600_000,
      });
    const handles: RunHandle[] = [];
    const open = await Promise.all(Array.from({ length: runs }, (_, place) => start(place)));
    handles.push(...open);
    const answered = new Map<string, string>();
    const refused = new Map<string, string>();
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < messages) {
        const text = `message ${next++}.`;
        const place = next % runs;
        const run = open[place]!;
        try {
          const answer = await run.ask(text, { id: text });
          if (answer.stopReason !== 'completed') throw new Error(`${text} ended with ${answer.stopReason}`);
          answered.set(text, run.id);
        } catch (error) {
          const { name } = error as Error;
          if (name !== 'RunEndedError') throw error;
          refused.set(text, run.id);
          // Somebody has to go on: the first to notice opens the next run.
          if (open[place] === run) {
            open[place] = await start(place);
            handles.push(open[place]);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: senders }, sender));
    expect(answered.size + refused.size).toBe(messages);
    expect(answered.size).toBeGreaterThan(messages / 2);
    expect(refused.size).toBeGreaterThan(0);

    const asked: string[] = [];
    await Promise.all(open.slice(ending).map((run) => run.cancel()));
    for (const run of handles) {
      await run.result();
      for (const { role, content } of await run.transcript())
        if (role === 'user')
          asked.push(
            ...String(content)
              .split('\n\n')
              .filter((text) => text !== 'Begin.'),
          );
    }
    // Exactly the answered ones stand in a transcript, each once.
    expect(asked.toSorted()).toEqual([...answered.keys()].toSorted());
    const seen = new Set(
      runtime
        .requests()
        .flatMap(({ messages: all }: ChatRequest) =>
          all.filter(({ role }) => role === 'user').flatMap(({ content }) => String(content).split('\n\n')),
        ),
    );
    expect([...answered.keys()].filter((text) => !seen.has(text))).toEqual([]);
  }, 300_000);

  test('to one id are all answered by the runs that it had, however often a run ended in between', async () => {
    const id = `desk-${randomUUID()}`;
    const texts = Array.from({ length: 100 }, (_, i) => `letter ${i}.`);
    const options = { agent: 'clerk', taskQueue: runtime.taskQueue };
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < texts.length) await runtime.client.send(id, texts[next++]!, options);
    };
    await Promise.all(Array.from({ length: 10 }, sender));
    await runtime.client.run(id).result();
    const answered = runtime
      .requests()
      .flatMap(({ messages: all }: ChatRequest) => all.map(({ content }) => String(content)))
      .flatMap((content) => content.split('\n\n'));
    expect(texts.filter((text) => !answered.includes(text))).toEqual([]);
  });
});
