import { NativeConnection } from '@temporalio/worker';
import { AgentClient } from '../client.ts';
import type { ModelClient } from '../models/model.ts';
import { openAIModels } from '../models/openai.ts';
import { modelsFromEnvironment } from '../models/registry.ts';
import type { Server } from '../server/server.ts';
import { createAgentWorker } from '../worker.ts';
import type { AgentsModule } from './agents-module.ts';
import type { Terminal } from './command.ts';
import { quietRuntime } from './quiet-runtime.ts';
import type { Workplace } from './start.ts';

/** How long a tool in flight may go on after Ctrl-C: a person waits for it. */
const shutdownGraceTime = '5s';

/** Opens a worker with the module's agents on the server, in this process. */
export async function openWorkplace(
  module: AgentsModule,
  server: Server,
  terminal: Terminal,
): Promise<Workplace> {
  const agent = module.agents[0]!;
  quietRuntime();
  // Ended in reverse, each even when the one before failed to end.
  const ends: (() => Promise<void>)[] = [async () => module.close?.()];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const end of ends.splice(0).toReversed())
      await end().catch((thrown: unknown) => failures.push(thrown));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const { models, about } = await chooseModels(module, agent.model, terminal.env, ends);
    const connection = await NativeConnection.connect(server.connectOptions);
    ends.push(() => connection.close());
    const worker = await createAgentWorker({
      agents: module.agents,
      models,
      connection,
      namespace: server.namespace,
      temporal: { shutdownGraceTime },
    });
    const running = worker.run();
    // A worker that fails makes the run wait for ever: whoever follows the run has to hear of it.
    const failed = running.then(() => new Promise<never>(() => {}));
    failed.catch(() => {});
    ends.push(async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    });
    const client = await AgentClient.connect({ ...server.connectOptions, namespace: server.namespace });
    ends.push(() => client.close());
    return {
      about: [...about, ...(module.about ?? [])],
      failed,
      start: async (question) => {
        const run = await client.start(agent.name, question);
        const runId = (await run.temporal.describe()).runId;
        return { id: run.id, runId, events: () => run.events(), result: () => run.result() };
      },
      stop,
    };
  } catch (thrown) {
    await stop().catch(() => {}); // what went wrong first is what counts
    throw thrown;
  }
}

/** The configured model, else the module's scripted one, which is labelled as such. */
async function chooseModels(
  module: AgentsModule,
  model: string,
  env: NodeJS.ProcessEnv,
  ends: (() => Promise<void>)[],
): Promise<{ models: Record<string, ModelClient>; about: string[] }> {
  const configured = [env['OPENAI_API_KEY'], env['OPENAI_BASE_URL']].some(
    (value) => (value ?? '').trim() !== '',
  );
  if (configured || module.startScriptedModel === undefined) {
    const where = env['OPENAI_BASE_URL']?.trim() || 'OpenAI';
    return { models: modelsFromEnvironment(env), about: [`Model: ${model} at ${where}`] };
  }
  const scripted = await module.startScriptedModel();
  ends.push(() => scripted.stop());
  const baseURL = scripted.url.endsWith('/v1') ? scripted.url : `${scripted.url}/v1`;
  return {
    models: { openai: openAIModels({ provider: 'openai', baseURL, apiKey: 'scripted' }) },
    about: [
      'Model: SCRIPTED (@copilotkit/aimock on this machine). No model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL.',
      'It has a script for these questions, and computes what it says from what the tools return:',
      ...scripted.scripts.map((question) => `  - ${question}`),
    ],
  };
}
