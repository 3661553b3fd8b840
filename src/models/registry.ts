import type { ModelClient } from './model.ts';
import { openAIModels } from './openai.ts';

/**
 * Finds the client for an agent's `model`. `provider:model` names a configured provider when the part before the first colon
 * is one; otherwise the first configured provider gets the whole text (Ollama's names hold colons, OpenRouter's slashes).
 * Throws when there are no clients, when a key isn't its client's provider, and on a model without a name.
 */
export function modelRegistry(clients: {
  [provider: string]: ModelClient;
}): (model: string) => { client: ModelClient; model: string } {
  const [first] = Object.values(clients);
  if (!first) throw new Error('No model provider is configured: give at least one client');
  for (const [key, client] of Object.entries(clients)) {
    // Opaque fields go back by provider name: two clients of one name would get each other's.
    if (client.provider !== key) {
      throw new Error(
        `Model provider ${JSON.stringify(key)} has a client named ${JSON.stringify(client.provider)}: use one name`,
      );
    }
  }
  return (name) => {
    const colon = name.indexOf(':');
    const provider = name.slice(0, Math.max(colon, 0));
    const named = Object.hasOwn(clients, provider) ? clients[provider] : undefined;
    const model = named ? name.slice(colon + 1) : name;
    if (model.trim() === '') {
      throw new Error(`Model ${JSON.stringify(name)} has no name: write "model" or "provider:model"`);
    }
    return { client: named ?? first, model };
  };
}

/**
 * The providers that the environment configures: `openai` from `OPENAI_API_KEY` and `OPENAI_BASE_URL`, either of which may
 * be absent (a local server needs no key). Throws when both are.
 */
export function modelsFromEnvironment(env: { [name: string]: string | undefined }): {
  [provider: string]: ModelClient;
} {
  const apiKey = env['OPENAI_API_KEY']?.trim();
  const baseURL = env['OPENAI_BASE_URL']?.trim();
  if (!apiKey && !baseURL) {
    throw new Error(
      'No model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for another OpenAI-compatible endpoint (http://127.0.0.1:11434/v1 for Ollama)',
    );
  }
  return {
    openai: openAIModels({ provider: 'openai', ...(apiKey && { apiKey }), ...(baseURL && { baseURL }) }),
  };
}
