import { z } from 'zod';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { startTemporal, type TestTemporal } from '../../src/testing/start-temporal.ts';
import { testServer } from '../setup/test-server.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers and returns the sum.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  readOnly: true,
  execute: ({ a, b }) => a + b,
});
const agents = [defineAgent({ name: 'adder', instructions: 'You add.', model: 'any', tools: [add] })];

let temporal: TestTemporal;
beforeAll(async () => {
  const { address, workflowBundle } = testServer();
  temporal = await startTemporal({ address, workflowBundle });
});
afterAll(() => temporal.stop());

const started = async (taskQueue: string, model: Awaited<ReturnType<typeof scriptedModel>>) => {
  const worker = await temporal.startWorker({ agents, models: model.models, taskQueue });
  return { worker, run: await temporal.client.start('adder', 'What is 2 + 3?', { taskQueue }) };
};

test('a run on a server that runs already goes from the question to the answer', async () => {
  const model = await scriptedModel([{ calls: [{ name: 'add', args: { a: 2, b: 3 } }] }, 'It is 5.']);
  const { run, worker } = await started('kit-answer', model);
  expect(await run.result()).toMatchObject({ text: 'It is 5.', stopReason: 'completed' });
  expect(model.requests()[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '5' });
  await worker.stop();
  await worker.stop();
  await model.stop();
});

test('a run whose script is used up ends with that message', async () => {
  const model = await scriptedModel([{ calls: [{ name: 'add', args: { a: 2, b: 3 } }] }]);
  const { run } = await started('kit-used-up', model);
  expect(await run.result()).toMatchObject({
    stopReason: 'error',
    error: { type: 'model_refused', message: expect.stringContaining('the script is used up') },
  });
  await model.stop();
});

test.each(['openai', 'deepseek', 'mistral', 'gemini'] as const)(
  'a turn with two rounds of calls and a message in the middle is taken by %s',
  async (as) => {
    const handle = Promise.withResolvers<RunHandle>();
    const twice = { calls: [1, 2].map((a) => ({ name: 'add', args: { a, b: 0 } })) };
    const model = await scriptedModel(
      async (_, index) => {
        if (index === 1) await (await handle.promise).send('And quickly, please.');
        return index < 2 ? twice : 'Done.';
      },
      { as },
    );
    const { run } = await started(`kit-${as}`, model);
    handle.resolve(run);
    expect(await run.result()).toMatchObject({ text: 'Done.', stopReason: 'completed' });
    const roles = model
      .requests()
      .at(-1)
      ?.messages.map(({ role }) => role);
    expect(roles?.slice(-2)).toEqual([as === 'mistral' ? 'assistant' : 'tool', 'user']);
    await model.stop();
  },
);
