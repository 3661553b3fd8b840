/** The sample agents, with a model of their own: what a module for `turnloop worker` may bring. */
import { openAIModels } from '../../src/models/openai.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { agents, startScriptedModel } from './sample-agents.ts';

const { url, stop } = await startScriptedModel();

export { agents };
export const worker = {
  models: { sample: openAIModels({ provider: 'sample', baseURL: `${url}/v1`, apiKey: 'sk-test' }) },
  store: memoryStore(),
};
export const close = () => stop();
