import { z } from 'zod';
import type { RunInput } from '../../src/contract.ts';
import { RunHandle } from '../../src/client/run-handle.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime, type Scripted } from './harness.ts';
import { hold, inHand } from './held-tool.ts';
import { until } from './until.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Returns its text.',
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: ({ text }) => text,
});
const agent = defineAgent({ name: 'ender', instructions: 'You end.', model: 'none', tools: [hold, echo] });

const calls = (name: string, args: object, more: object = {}): Scripted =>
  ({ toolCalls: [{ name, arguments: JSON.stringify(args) }], ...more }) as Scripted;

describe('a run', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  const start = (model: string, options = {}): Promise<RunHandle> =>
    runtime.client.start('ender', 'Begin.', { taskQueue: runtime.taskQueue, model, ...options });
  const statusOf = async (run: RunHandle): Promise<string> => (await run.temporal.describe()).status.name;
  /** A run as services in other languages start one: with JSON of their own. */
  const startWith = async (input: unknown): Promise<RunHandle> => {
    const handle = await runtime.client.temporal.workflow.start('agentWorkflow', {
      workflowId: `bare-${Math.random()}`,
      taskQueue: runtime.taskQueue,
      args: [input],
    });
    return new RunHandle(runtime.client.temporal, handle);
  };

  const long = 'x'.repeat(10);
  const completed: [
    string,
    { replies: Scripted[]; limits?: object; text: string | RegExp; requests: number },
  ][] = [
    ['completed', { replies: [{ content: ' Done. ' }], text: 'Done.', requests: 1 }],
    [
      'max_iterations',
      {
        replies: [calls('echo', { text: 'a' }), calls('echo', { text: 'b' }), { content: 'So far.' }],
        limits: { maxIterations: 2 },
        text: 'So far.',
        requests: 3,
      },
    ],
    ['empty_response', { replies: [{ content: '' }], text: /^No answer could be produced/u, requests: 4 }],
    ['length', { replies: [{ content: long, finishReason: 'length' }], text: long.repeat(4), requests: 4 }],
    [
      'refusal',
      { replies: [{ content: 'I will not.', finishReason: 'refusal' }], text: 'I will not.', requests: 1 },
    ],
    [
      'content_filter',
      { replies: [{ content: 'Half', finishReason: 'content_filter' }], text: 'Half', requests: 1 },
    ],
    [
      'loop',
      {
        replies: [
          ...Array.from({ length: 7 }, () => calls('echo', { text: 'same' })),
          { content: 'Round in circles.' },
        ],
        text: 'Round in circles.',
        requests: 8,
      },
    ],
    [
      'budget',
      {
        replies: [
          calls(
            'echo',
            { text: 'a' },
            { usage: { prompt_tokens: 90, completion_tokens: 20, total_tokens: 110 } },
          ),
        ],
        limits: { maxTokens: 100 },
        text: "The run's budget is used up: 110 of 100 tokens are used.",
        requests: 1,
      },
    ],
  ];
  test.each(completed)('that stops with %s is Completed, and its result says so', async (stopReason, end) => {
    const script = runtime.play(end.replies);
    const run = await start(script.model, { limits: end.limits ?? {} });
    const result = await run.result();
    expect(result).toMatchObject({ stopReason, turns: 1 });
    expect(result.text).toEqual(typeof end.text === 'string' ? end.text : expect.stringMatching(end.text));
    expect(script.requests()).toHaveLength(end.requests);
    expect(await statusOf(run)).toBe('COMPLETED');
    const transcript = await run.transcript();
    expect(transcript.at(-1)?.role).toBe('assistant');
  });

  test('whose model refuses the request is Failed, and its result is in the details of the failure', async () => {
    const script = runtime.play([
      calls('echo', { text: 'a' }),
      { error: { message: 'this model is gone', type: 'invalid_request_error' }, status: 404 },
    ]);
    const run = await start(script.model);
    const result = await run.result();
    expect(result).toMatchObject({ stopReason: 'error', iterations: 2, error: { type: 'model_refused' } });
    expect(result.error?.message).toContain('this model is gone');
    expect(result.usage).toMatchObject({ requests: 1, failedRequests: 1 });
    expect(script.requests()).toHaveLength(2);
    expect(await statusOf(run)).toBe('FAILED');
    await expect(run.temporal.result()).rejects.toMatchObject({
      cause: { type: 'model_refused', nonRetryable: true, details: [result] },
    });
    expect(JSON.stringify(await run.transcript())).not.toContain('this model is gone');
  });

  test('of an agent that nobody knows is Failed, and says which there are', async () => {
    const run = await runtime.client.start('nobody', 'Begin.', { taskQueue: runtime.taskQueue });
    const result = await run.result();
    expect(result).toMatchObject({ stopReason: 'error', error: { type: 'unknown_agent' } });
    expect(result.error?.message).toMatch(/"nobody".*ender/su);
    expect(await statusOf(run)).toBe('FAILED');
  });

  test.each<[string, unknown, RegExp]>([
    ['no input', undefined, /give one object/u],
    ['another version', { version: 2, agent: 'ender', input: 'x' }, /version is 2/u],
    ['no agent', { version: 1, input: 'x' }, /agent is/u],
    ['an input that is a number', { version: 1, agent: 'ender', input: 5 }, /input is 5/u],
    ['a time that is none', { version: 1, agent: 'ender', input: 'x', keepOpenMs: -1 }, /keepOpenMs is -1/u],
  ])('with %s fails at once as InvalidInput', async (_, input, message) => {
    const run = await startWith(input);
    const result = await run.result();
    expect(result).toMatchObject({ text: '', stopReason: 'error', error: { type: 'invalid_input' } });
    expect(result.error?.message).toMatch(message);
    expect(await statusOf(run)).toBe('FAILED');
    await expect(run.temporal.result()).rejects.toMatchObject({
      cause: { type: 'InvalidInput', nonRetryable: true, details: [result] },
    });
  });

  test('with limits that are none is Failed, and says which', async () => {
    const input: RunInput = {
      version: 1,
      agent: 'ender',
      input: 'x',
      limits: { maxIterations: 'many' as never },
    };
    const run = await startWith(input);
    const result = await run.result();
    expect(result).toMatchObject({ stopReason: 'error', error: { type: 'invalid_input' } });
    expect(result.error?.message).toMatch(/maxIterations.*many/u);
    await expect(run.temporal.result()).rejects.toMatchObject({
      cause: { type: 'invalid_input', nonRetryable: true, details: [result] },
    });
  });

  test('that was terminated has no result', async () => {
    const script = runtime.play([calls('hold', { id: 'e0' })]);
    const run = await start(script.model);
    await until('the tool runs', () => inHand.has('e0'));
    await run.temporal.terminate('enough');
    await expect(run.result()).rejects.toMatchObject({ name: 'RunTerminatedError' });
    inHand.get('e0')?.end();
  });

  test('that is kept open goes on behind a turn that ended with an error', async () => {
    const script = runtime.play([
      { error: { message: 'not today', type: 'invalid_request_error' }, status: 400 },
      { content: 'Today.' },
    ]);
    const run = await start(script.model, { keepOpenMs: 1_000 });
    await until('the first turn has ended', async () => (await run.state()).ended?.stopReason === 'error');
    await run.send('And now?');
    expect(await run.result()).toMatchObject({ text: 'Today.', stopReason: 'completed', turns: 2 });
    const [, second] = script.requests();
    expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(second?.messages.at(-1)?.content).toBe('Begin.\n\nAnd now?');
  });
});
