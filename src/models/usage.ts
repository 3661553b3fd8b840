import type { Usage } from '../contract.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import type { Price } from './profile.ts';
import { isObject } from './raw-completion.ts';

/**
 * The tokens of one answered request. Knows OpenAI's names, DeepSeek's (`prompt_cache_hit_tokens`), Anthropic's
 * (`input_tokens`, which leaves cached tokens out), Gemini's and Ollama's. What the provider doesn't tell is estimated
 * from the texts, and the whole is marked `estimated`. `price`: dollars per million tokens; absent: no `costUsd`.
 */
export function readUsage(
  raw: unknown,
  texts: { prompt(): string; completion(): string },
  price?: Price,
): Usage {
  const told = isObject(raw) ? raw : {};
  const cached = firstCount(
    at(told, 'prompt_tokens_details', 'cached_tokens'),
    told['prompt_cache_hit_tokens'],
    told['cache_read_input_tokens'],
    at(told, 'input_tokens_details', 'cached_tokens'),
    told['cachedContentTokenCount'],
  );
  const completion = firstCount(
    told['completion_tokens'],
    told['output_tokens'],
    told['candidatesTokenCount'],
    told['eval_count'],
  );
  const prompt = firstCount(
    told['prompt_tokens'],
    sum(told['prompt_cache_hit_tokens'], told['prompt_cache_miss_tokens']),
    sum(told['input_tokens'], told['cache_read_input_tokens'] ?? 0, told['cache_creation_input_tokens'] ?? 0),
    told['promptTokenCount'],
    told['prompt_eval_count'],
  );
  const total = firstCount(told['total_tokens'], told['totalTokenCount']);
  // A prompt is never empty: a 0 there means that the server doesn't count.
  const promptTold = prompt !== undefined && prompt > 0 ? prompt : rest(total, completion);
  const completionTold =
    prompt === 0 && completion === 0 ? undefined : (completion ?? rest(total, promptTold));
  const usage: Usage = {
    requests: 1,
    failedRequests: 0,
    promptTokens: promptTold ?? estimateTokens(texts.prompt()),
    completionTokens: completionTold ?? estimateTokens(texts.completion()),
    cachedTokens: cached ?? 0,
    reasoningTokens:
      firstCount(
        at(told, 'completion_tokens_details', 'reasoning_tokens'),
        at(told, 'output_tokens_details', 'reasoning_tokens'),
        told['reasoning_tokens'],
        told['thoughtsTokenCount'],
      ) ?? 0,
    estimated: promptTold === undefined || completionTold === undefined,
  };
  return price ? { ...usage, costUsd: costOf(usage, price) } : usage;
}

function costOf(usage: Usage, price: Price): number {
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const millionths =
    (usage.promptTokens - cached) * price.prompt +
    cached * (price.cached ?? price.prompt) +
    usage.completionTokens * price.completion;
  return millionths / 1_000_000;
}

const at = (fields: Record<string, unknown>, key: string, inner: string): unknown =>
  isObject(fields[key]) ? fields[key][inner] : undefined;

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

function firstCount(...values: unknown[]): number | undefined {
  return values.map(count).find((value) => value !== undefined);
}

/** The sum, if its first part is known. */
function sum(first: unknown, ...more: unknown[]): number | undefined {
  const start = count(first);
  return start === undefined
    ? undefined
    : more.reduce<number>((total, value) => total + (count(value) ?? 0), start);
}

function rest(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined || total <= part ? undefined : total - part;
}
