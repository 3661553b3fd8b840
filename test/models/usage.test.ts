import { readUsage } from '../../src/models/usage.ts';

const texts = { prompt: (): string => 'one two three', completion: (): string => 'four five' };
const told = (raw: unknown): unknown => {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, estimated } = readUsage(raw, texts);
  return [promptTokens, completionTokens, cachedTokens, reasoningTokens, estimated];
};

test.each<[string, unknown, unknown[]]>([
  [
    'OpenAI',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    [10, 5, 4, 2, false],
  ],
  [
    'DeepSeek',
    { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
    [10, 5, 8, 0, false],
  ],
  [
    'Anthropic',
    { input_tokens: 2, output_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 1 },
    [10, 5, 7, 0, false],
  ],
  ['Gemini', { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 3 }, [10, 5, 0, 3, false]],
  ['Ollama', { prompt_eval_count: 10, eval_count: 5 }, [10, 5, 0, 0, false]],
  ['a server that only tells the total', { prompt_tokens: 10, total_tokens: 15 }, [10, 5, 0, 0, false]],
  ['an empty answer', { prompt_tokens: 10, completion_tokens: 0 }, [10, 0, 0, 0, false]],
])('of %s is read', (_who, raw, expected) => {
  expect(told(raw)).toEqual(expected);
});

test.each([
  undefined,
  null,
  'x',
  {},
  { prompt_tokens: 0, completion_tokens: 0 },
  { prompt_tokens: -1, completion_tokens: NaN },
])('is estimated and marked when it is not told: %j', (raw) => {
  expect(told(raw)).toEqual([3, 2, 0, 0, true]);
});

test('costs what its price says, cached tokens apart', () => {
  const raw = {
    prompt_tokens: 1_000_000,
    completion_tokens: 500_000,
    prompt_tokens_details: { cached_tokens: 400_000 },
  };
  expect(readUsage(raw, texts, { prompt: 2, cached: 0.5, completion: 8 }).costUsd).toBeCloseTo(1.2 + 0.2 + 4);
  expect(readUsage(raw, texts, { prompt: 2, completion: 8 }).costUsd).toBeCloseTo(6);
  expect(readUsage(raw, texts)).not.toHaveProperty('costUsd');
});
