import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openAIModels } from '../../src/models/openai.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { defineAgent, type Agent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { AgentPlugin, type AgentPluginOptions } from '../../src/worker.ts';

const models = { openai: openAIModels({ provider: 'openai', apiKey: 'sk-test' }) };
const tool = (name: string) =>
  defineTool({ name, description: 'A tool of the agent.', parameters: z.object({}), execute: () => '' });
const agent = (name = 'helper', tools = [tool('look_up')]): Agent =>
  defineAgent({ name, instructions: 'You help.', model: 'any', tools });
const plugin = (options: Partial<AgentPluginOptions> = {}) =>
  new AgentPlugin({ agents: [agent()], models, store: memoryStore(), ...options });

describe('the plugin refuses, at start and with the remedy,', () => {
  test('no agents', () => {
    expect(() => plugin({ agents: [] })).toThrow('agents is empty: give a list with at least one agent');
    expect(() => plugin({ agents: undefined as never })).toThrow('agents is undefined: give a list');
  });

  test('agents or tools of one name', () => {
    expect(() => plugin({ agents: [agent(), agent()] })).toThrow('Two agents are named "helper". Rename one');
    const clashing = [agent('a'), agent('b')];
    expect(() => plugin({ agents: clashing })).toThrow(
      /Two different tools are named "look_up".*Rename one/su,
    );
  });

  test('no models, and a model without a name', () => {
    expect(() => plugin({ models: {} })).toThrow('No model provider is configured: give at least one client');
    const nameless = defineAgent({ name: 'nameless', instructions: 'x', model: 'openai:', tools: [] });
    expect(() => plugin({ agents: [nameless] })).toThrow(
      /model of agent "nameless".*write "model" or "provider:model"/su,
    );
  });

  test('no models in the environment either', () => {
    const kept = { ...process.env };
    delete process.env['OPENAI_API_KEY'];
    delete process.env['OPENAI_BASE_URL'];
    try {
      expect(() => new AgentPlugin({ agents: [agent()], store: memoryStore() })).toThrow(
        /No model is configured: set OPENAI_API_KEY/u,
      );
    } finally {
      Object.assign(process.env, kept);
    }
  });

  test('activities of the worker that have a tool’s or a reserved name', async () => {
    const configured = (name: string) =>
      plugin().configureWorker({ taskQueue: 'q', activities: { [name]: async () => 'x' } });
    await expect(configured('look_up')).rejects.toThrow(
      /activities\["look_up"\] has the name of a tool.*Rename one/su,
    );
    await expect(configured('turnloop.mine')).rejects.toThrow(
      /begin with "turnloop\." belong to the runtime/u,
    );
    expect(Object.keys((await configured('mine')).activities ?? {})).toEqual(
      expect.arrayContaining([
        'mine',
        'look_up',
        'read_result',
        'default',
        'turnloop.callModel',
        'turnloop.describeAgents',
      ]),
    );
  });
});

test('the plugin given twice, to the worker and to its connection, is the plugin given once', async () => {
  const one = plugin();
  const twice = await one.configureWorker(await one.configureWorker({ taskQueue: 'q' }));
  expect(Object.keys(twice.activities ?? {})).toContain('look_up');
});

test('options of the worker go before the plugin’s', async () => {
  const options = await plugin().configureWorker({ taskQueue: 'q', shutdownGraceTime: '5m' });
  expect(options).toMatchObject({ shutdownGraceTime: '5m', stickyQueueScheduleToStartTimeout: '2s' });
  expect(options.workflowsPath).toMatch(/workflows[/\\]index\.ts$/u);
});

test('the module that joins both sets of workflows is one file for the same modules, out of the way of watchers', () => {
  const own = fileURLToPath(new URL('./own-workflows.ts', import.meta.url));
  const { workflowsPath } = plugin().configureBundler({ workflowsPath: own });
  expect(workflowsPath).toMatch(/node_modules[/\\]\.cache[/\\]turnloop[/\\]/u);
  expect(readFileSync(workflowsPath, 'utf8')).toContain(JSON.stringify(own));
  expect(plugin().configureBundler({ workflowsPath: own }).workflowsPath).toBe(workflowsPath);
});
