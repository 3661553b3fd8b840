import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime } from './harness.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers and returns the sum.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  readOnly: true,
  execute: ({ a, b }) => String(a + b),
});
const agent = defineAgent({ name: 'calculator', instructions: 'You add.', model: 'gpt-4o', tools: [add] });

describe('a run', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({
      agents: [agent],
      replies: [
        { content: 'Let me add.', toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] },
        (request) => ({ content: `The sum is ${String(request.messages.at(-1)?.content)}.` }),
      ],
    });
  });
  afterAll(() => runtime.stop());

  test('answers from the result of a tool', async () => {
    const run = await runtime.client.start('calculator', 'What is 2 + 3?', { taskQueue: runtime.taskQueue });
    const result = await run.result();
    expect(result).toMatchObject({ text: 'The sum is 5.', stopReason: 'completed', iterations: 2, turns: 1 });
    const [first, second] = runtime.requests();
    expect(first?.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(second?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(second?.messages.slice(0, 2)).toEqual(first?.messages);
  });
});
