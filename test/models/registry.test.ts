import type { ModelClient } from '../../src/models/model.ts';
import { modelRegistry, modelsFromEnvironment } from '../../src/models/registry.ts';

const client = (provider: string): ModelClient => ({
  provider,
  complete: () => Promise.reject(new Error('not asked')),
});
const find = modelRegistry({ ollama: client('ollama'), openai: client('openai') });

test.each([
  ['openai:gpt-5', 'openai', 'gpt-5'],
  ['openai:ft:gpt-5:team', 'openai', 'ft:gpt-5:team'],
  ['llama3:70b', 'ollama', 'llama3:70b'],
  ['anthropic/claude:beta', 'ollama', 'anthropic/claude:beta'],
  ['constructor:x', 'ollama', 'constructor:x'],
  ['plain', 'ollama', 'plain'],
])('%s is asked of %s as %s', (name, provider, model) => {
  const found = find(name);
  expect([found.client.provider, found.model]).toEqual([provider, model]);
});

test.each(['', 'openai:'])('a model without a name is refused: %j', (name) => {
  expect(() => find(name)).toThrow('has no name');
});

test('no providers, and a provider under another name, are refused', () => {
  expect(() => modelRegistry({})).toThrow('No model provider is configured');
  expect(() => modelRegistry({ a: client('b') })).toThrow('"a" has a client named "b"');
});

test('the environment configures OpenAI by key, by base URL, or by both', () => {
  expect(Object.keys(modelsFromEnvironment({ OPENAI_API_KEY: 'sk-x' }))).toEqual(['openai']);
  expect(modelsFromEnvironment({ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' })['openai']?.provider).toBe(
    'openai',
  );
});

test('an environment that configures nothing is refused with what to set', () => {
  expect(() => modelsFromEnvironment({ OPENAI_API_KEY: ' ' })).toThrow(
    'set OPENAI_API_KEY, or OPENAI_BASE_URL',
  );
});
