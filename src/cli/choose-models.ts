import type { ModelClient } from '../models/model.ts';
import { openAIModels } from '../models/openai.ts';
import { modelsFromEnvironment } from '../models/registry.ts';
import type { AgentsModule } from './agents-module.ts';

/** The models a worker of the command line asks, and lines that say so. */
export interface ChosenModels {
  models: Readonly<Record<string, ModelClient>>;
  about: string[];
  stop(): Promise<void>;
}

/**
 * The module's own models, else the configured ones, else the module's scripted one, which is labelled as such.
 * Throws when there are none. `scripted: false`: in production nothing plays a model.
 */
export async function chooseModels(
  module: AgentsModule,
  env: NodeJS.ProcessEnv,
  { scripted }: { scripted: boolean },
): Promise<ChosenModels> {
  const own = module.worker?.models;
  const stop = async () => {};
  if (own !== undefined) return { models: own, about: [`Models: ${Object.keys(own).join(', ')}`], stop };
  const configured = [env['OPENAI_API_KEY'], env['OPENAI_BASE_URL']].some(
    (value) => (value ?? '').trim() !== '',
  );
  if (configured || !scripted || module.startScriptedModel === undefined) {
    const models = modelsFromEnvironment(env);
    const names = [...new Set(module.agents.map((agent) => agent.model))].join(', ');
    return { models, about: [`Model: ${names} at ${env['OPENAI_BASE_URL']?.trim() || 'OpenAI'}`], stop };
  }
  const played = await module.startScriptedModel();
  const baseURL = played.url.endsWith('/v1') ? played.url : `${played.url}/v1`;
  return {
    models: { openai: openAIModels({ provider: 'openai', baseURL, apiKey: 'scripted' }) },
    about: [
      'Model: SCRIPTED (@copilotkit/aimock on this machine). No model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL.',
      'It has a script for these questions, and computes what it says from what the tools return:',
      ...played.scripts.map((question) => `  - ${question}`),
    ],
    stop: () => played.stop(),
  };
}
