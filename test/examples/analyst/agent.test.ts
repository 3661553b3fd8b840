import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { createAnalyst } from '../../../examples/analyst/agent.ts';
import { openDatabases, type Databases } from '../../../examples/analyst/databases.ts';
import { startScriptedAnalyst, type ScriptedAnalyst } from '../../../examples/analyst/scripted-model.ts';
import { checkDefinitions } from '../../../src/tools/check-definitions.ts';
import { readFailure } from '../../../src/tools/failure.ts';
import { stableJson } from '../../../src/tools/stable-json.ts';
import { callTool } from './tool-context.ts';

let model: ScriptedAnalyst;
const asLoaded = openDatabases();
beforeAll(async () => {
  model = await startScriptedAnalyst();
});
afterAll(() => Promise.all([model.stop(), asLoaded.close()]));

/** Question to answer with real tools and the scripted model, by the plainest loop there is. */
async function ask(question: string, databases: Databases = asLoaded) {
  const directory = await mkdtemp(join(tmpdir(), 'analyst-'));
  const { agent, close } = createAnalyst({ databases, chartsDirectory: directory });
  const client = new OpenAI({ baseURL: model.url, apiKey: 'none' });
  const tools: ChatCompletionTool[] = agent.tools.map(({ name, schema, spec }) => ({
    type: 'function',
    function: { name, parameters: schema, description: spec.description },
  }));
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  const called: string[] = [];
  try {
    for (;;) {
      const { choices } = await client.chat.completions.create({ model: agent.model, messages, tools });
      const { message } = choices[0]!;
      messages.push(message);
      if (!message.tool_calls) {
        const path = /Chart: (.+)$/.exec(message.content ?? '')?.[1];
        return { answer: message.content, called, chart: path ? await readFile(path, 'utf8') : undefined };
      }
      for (const call of message.tool_calls) {
        if (call.type !== 'function') continue;
        const tool = agent.tools.find(({ name }) => name === call.function.name)!;
        called.push(tool.name);
        const content = await callTool(tool, JSON.parse(call.function.arguments), {
          idempotencyKey: call.id,
        }).then(
          (result) => stableJson(result as never),
          (error: unknown) => readFailure(error, {}).text(1),
        );
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
    }
  } finally {
    await close();
    await rm(directory, { recursive: true, force: true });
  }
}

test('one changed row of the database changes the answer and the chart', async () => {
  const question = 'Which region grew fastest?';
  const other = openDatabases({
    changes: {
      production: `UPDATE world.indicators SET population = 9000000000
        WHERE year = 2005 AND country_id = (SELECT id FROM world.countries WHERE name = 'Iceland')`,
    },
  });
  const asItIs = await ask(question);
  const changed = await ask(question, other);
  await other.close();
  expect(asItIs.called).toEqual(['search_database', 'generate_chart']);
  expect(asItIs.answer).toContain(
    'Middle East and North Africa grew fastest: its population rose by 282.8 %',
  );
  expect(changed.answer).toContain('Europe and Central Asia grew fastest');
  expect(asItIs.chart).toContain('Europe and Central Asia; growth_percent: 38"');
  expect(changed.chart).not.toContain('Europe and Central Asia; growth_percent: 38"');
});

test('a wrong table is mended by its error and the schema', async () => {
  const { called, answer } = await ask('Which country has the highest life expectancy?');
  expect(called).toEqual(['search_database', 'describe_database', 'search_database']);
  expect(answer).toContain('Japan has the highest life expectancy: 82.5 years in 2005.');
});

test('two databases are compared', async () => {
  const { called, answer } = await ask('How far is staging behind production?');
  expect(called).toEqual(['search_database', 'search_database']);
  expect(answer).toContain('Staging is 10 years behind');
});

test('its definitions have nothing to complain about', async () => {
  const { agent, close } = createAnalyst();
  expect(checkDefinitions([...agent.tools])).toEqual([]);
  await close();
});

test('the model is the given one, else the environment’s, else a default', async () => {
  const before = process.env.OPENAI_MODEL;
  const modelOf = (model?: string): string => createAnalyst(model === undefined ? {} : { model }).agent.model;
  try {
    process.env.OPENAI_MODEL = ' from-the-environment ';
    expect([modelOf(), modelOf('given')]).toEqual(['from-the-environment', 'given']);
    delete process.env.OPENAI_MODEL;
    expect(modelOf()).toBe('gpt-5-mini');
  } finally {
    if (before === undefined) delete process.env.OPENAI_MODEL;
    else process.env.OPENAI_MODEL = before;
  }
});
