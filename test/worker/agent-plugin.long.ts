import { LLMock } from '@copilotkit/aimock';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { AgentClient } from '../../src/client.ts';
import { openAIModels } from '../../src/models/openai.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { AgentPlugin } from '../../src/worker.ts';
import { testServer } from '../setup/test-server.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const ownWorkflows = fileURLToPath(new URL('./own-workflows.ts', import.meta.url));
const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks something up for the agent.',
  parameters: z.object({}),
  execute: () => 'found',
});
const helper = defineAgent({ name: 'helper', instructions: 'You help.', model: 'any', tools: [lookUp] });

describe('the plugin in a worker that exists', () => {
  const mock = new LLMock({ port: 0 });
  let connection: NativeConnection;
  let client: AgentClient;
  let plugin: AgentPlugin;
  beforeAll(async () => {
    const { address } = testServer();
    await mock.start();
    mock.on({}, { content: 'Helped.' });
    connection = await NativeConnection.connect({ address });
    client = await AgentClient.connect({ address });
    plugin = new AgentPlugin({
      agents: [helper],
      models: { openai: openAIModels({ provider: 'openai', baseURL: `${mock.url}/v1`, apiKey: 'sk-test' }) },
      store: memoryStore(),
    });
  });
  afterAll(async () => {
    await client.close();
    await connection.close();
    await mock.stop();
  });

  /** Runs what is given on a worker with the plugin and these options. */
  async function withWorker(
    options: Partial<WorkerOptions>,
    use: (taskQueue: string) => Promise<void>,
  ): Promise<void> {
    const taskQueue = `plugin-${randomUUID()}`;
    const worker = await Worker.create({ connection, taskQueue, plugins: [plugin], ...options });
    await worker.runUntil(() => use(taskQueue));
  }
  const execute = (type: string, taskQueue: string, args: unknown[] = []): Promise<unknown> =>
    client.temporal.workflow.execute(type, { workflowId: `own-${randomUUID()}`, taskQueue, args });

  test('adds agents beside its own workflows and activities, and an agent runs inside its own workflow', async () => {
    const activities = { archive: async (text: string) => `archived: ${text}` };
    await withWorker({ workflowsPath: ownWorkflows, activities }, async (taskQueue) => {
      expect(await execute('researchWorkflow', taskQueue, ['What?'])).toBe('archived: Helped.');
      expect(await (await client.start('helper', 'What?', { taskQueue })).result()).toMatchObject({
        text: 'Helped.',
      });
      expect(await execute('goneToolWorkflow', taskQueue)).toMatchObject({ status: 'refused' });
      // As without the plugin: the type is not registered.
      await expect(execute('strayWorkflow', taskQueue)).rejects.toMatchObject({
        cause: { cause: { type: 'NotFoundError' } },
      });
    });
  });

  test('leaves activities that are no tools to the worker’s own `default`', async () => {
    const activities = { default: async (...args: unknown[]) => `own default: ${String(args[0])}` };
    await withWorker({ workflowsPath: ownWorkflows, activities }, async (taskQueue) => {
      expect(await execute('strayWorkflow', taskQueue)).toBe('own default: x');
      expect(await execute('goneToolWorkflow', taskQueue)).toMatchObject({
        text: expect.stringContaining("gone_tool doesn't exist any more") as unknown,
      });
    });
  });

  test('takes a bundle that was made with it, and refuses one that was not', async () => {
    const logger = new DefaultLogger('ERROR');
    const without = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('../server/steps-workflow.ts', import.meta.url)),
      logger,
    });
    await expect(withWorker({ workflowBundle: without }, async () => {})).rejects.toThrow(
      /workflowBundle holds no workflows of turnloop.*plugins: \[agentPlugin\]/su,
    );
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: ownWorkflows,
      logger,
      plugins: [plugin],
    });
    const activities = { archive: async (text: string) => text };
    await withWorker({ workflowBundle, activities }, async (taskQueue) => {
      expect(await execute('researchWorkflow', taskQueue, ['What?'])).toBe('Helped.');
      expect(await (await client.start('helper', 'What?', { taskQueue })).result()).toMatchObject({
        text: 'Helped.',
      });
    });
  });
});
