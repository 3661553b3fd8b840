/** Agents for the tests of `turnloop start` and `turnloop tools`: one that adds, played by a scripted model. */
import { LLMock } from '@copilotkit/aimock';
import { z } from 'zod';
import { defineAgent, defineTool } from '../../src/index.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers and returns where the drawing of the sum is.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  readOnly: true,
  execute: ({ a, b }) => `${a + b}, drawn in /tmp/sum-${a + b}.svg`,
});

/** A tool that never ends by itself, for the tests that end it from outside. */
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is told to stop, and returns nothing.',
  parameters: z.object({}),
  readOnly: true,
  execute: (_args, { signal }) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
});

export const agents = [
  defineAgent({ name: 'adder', instructions: 'You add.', model: 'sample', tools: [add, wait] }),
];
export const question = 'What is 2 + 3?';
export const about = ['Data: none'];

export async function startScriptedModel() {
  const mock = new LLMock({ port: 0 });
  mock.on({}, (request) => {
    const last = request.messages.at(-1);
    if (last?.role === 'tool') return { content: `It is ${String(last.content)}.` };
    const tool = String(last?.content).includes('wait') ? 'wait' : 'add';
    return {
      content: 'I use a tool.',
      toolCalls: [{ name: tool, arguments: tool === 'add' ? '{"a":2,"b":3}' : '{}' }],
    };
  });
  await mock.start();
  return { url: mock.url, scripts: [question], stop: () => mock.stop() };
}
