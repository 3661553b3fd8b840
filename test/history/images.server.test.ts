import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { keepFile } from '../../src/stores/keep-file.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { eventsOf, payloadsOf } from '../e2e/history.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';

/** Bytes that begin like a PNG and hold no pattern. */
const png = (length: number): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(length)]);
const shot = png(100_000);
const screenshot = defineTool({
  name: 'screenshot',
  description: 'Takes a picture of the screen.',
  parameters: z.object({}),
  readOnly: true,
  execute: () => ({ title: 'Home', picture: shot }),
});
const agent = defineAgent({ name: 'images', instructions: 'Look.', model: 'gpt-4o', tools: [screenshot] });

let runtime: Runtime;
afterEach(() => runtime.stop());

test('an image in a message and one in a result reach the model, and the history holds none of their bytes', async () => {
  const store = memoryStore();
  // aimock's own journal cuts bodies over 64 KB.
  let asked: { role: string }[] = [];
  runtime = await startRuntime({
    agents: [agent],
    store,
    profile: { stream: false },
    replies: [
      { toolCalls: [{ name: 'screenshot', arguments: '{}' }] },
      (request) => {
        asked = request.messages;
        return { content: 'two pictures' };
      },
    ],
  });
  const photo = png(5_000_000);
  const part = await keepFile(store, photo, 'image/png');
  const run = await runtime.client.start('images', [{ type: 'text', text: 'What is this?' }, part!], {
    taskQueue: runtime.taskQueue,
  });
  expect(await run.result()).toMatchObject({ text: 'two pictures' });

  const sent = JSON.stringify(asked);
  expect(sent.includes(photo.toString('base64'))).toBe(true);
  expect(sent.includes(shot.toString('base64'))).toBe(true);
  expect(asked.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  const recorded = payloadsOf(await eventsOf(run)).join('');
  expect(recorded.length).toBeLessThan(20_000);
});

test('an image that the store has lost becomes a line that says so', async () => {
  const store = memoryStore();
  runtime = await startRuntime({ agents: [agent], store, replies: [{ content: 'gone' }] });
  const run = await runtime.client.start(
    'images',
    [{ type: 'stored', key: 'file/none', mediaType: 'image/png', bytes: 12 }],
    { taskQueue: runtime.taskQueue },
  );
  expect(await run.result()).toMatchObject({ text: 'gone' });
  expect(JSON.stringify(runtime.requests()[0])).toContain('[image/png, 12 bytes: no longer available]');
});
