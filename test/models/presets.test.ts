import { profileFor } from '../../src/models/presets.ts';
import { defaultProfile } from '../../src/models/profile.ts';

const profile = (baseURL: string, model = 'm') => profileFor({ baseURL, model });

test('an unknown endpoint gets the defaults', () => {
  expect(profile('http://127.0.0.1:8080/v1')).toEqual(defaultProfile);
  expect(profile('https://notopenai.com/v1')).toEqual(defaultProfile);
});

test.each([
  ['https://api.openai.com/v1', { maxTokensField: 'max_completion_tokens' }],
  ['https://api.deepseek.com', { requiredOnReplies: { reasoning_content: '' } }],
  ['https://api.mistral.ai/v1', { includeUsage: false, opaqueFields: 'drop' }],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', { contentForToolOnly: 'omit' }],
  ['https://api.anthropic.com/v1/', { finalization: 'tool-choice-none' }],
  ['http://localhost:11434/v1', { contentForToolOnly: 'empty' }],
  ['https://openrouter.ai/api/v1', { systemMessages: 'many' }],
])('%s has its preset', (baseURL, expected) => {
  expect(profile(baseURL)).toMatchObject(expected);
});

test.each([
  'mistral-large-latest',
  'devstral:24b',
  'mistralai/Mixtral-8x7B',
  'open-mistral-7b',
  'magistral-small',
])("%s gets ids of Mistral's form on every host", (model) => {
  expect(profile('http://127.0.0.1:8000/v1', model).toolCallIds).toBe('nine-alphanumeric');
});

test("a worker's own settings go before the preset", () => {
  const settings = { toolCallIds: 'keep', stream: false } as const;
  expect(
    profileFor({ baseURL: 'https://api.mistral.ai/v1', model: 'mistral-small' }, settings),
  ).toMatchObject({ ...settings, includeUsage: false });
});
