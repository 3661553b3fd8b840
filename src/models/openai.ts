import OpenAI from 'openai';
import { assembleStream } from './assemble-stream.ts';
import { toModelError } from './errors.ts';
import type { ErrorContext } from './errors.ts';
import { isModelError, ModelError } from './model-error.ts';
import type { ModelAnswer, ModelClient } from './model.ts';
import { patientFetch } from './patient-fetch.ts';
import { profileFor } from './presets.ts';
import type { Price, ProviderProfile } from './profile.ts';
import { interruptedAnswer, readAnswer } from './read-answer.ts';
import { readResponse } from './read-response.ts';
import { toWire } from './to-wire.ts';
import { readUsage } from './usage.ts';

export interface OpenAIModelsOptions {
  /** Name of this provider in the worker's configuration. */
  provider: string;
  /** Default: OpenAI itself. */
  baseURL?: string;
  /** Absent: no `Authorization` header is sent (local servers need none). */
  apiKey?: string;
  /** What differs from the preset that fits the base URL and model. */
  profile?: Partial<ProviderProfile>;
  /** More headers for every request. */
  headers?: Record<string, string>;
}

/** Longest time a timer of Node takes, in ms; a longer one would fire at once. */
const timerMsMax = 2_147_483_647;

/**
 * Models behind an OpenAI-compatible endpoint (chat completions). One request is one HTTP request: retries are the
 * activity's matter, where they are visible and obey one set of limits. Throws on a base URL that is none.
 */
export function openAIModels(options: OpenAIModelsOptions): ModelClient {
  const { provider, baseURL = 'https://api.openai.com/v1', apiKey, headers = {} } = options;
  if (!/^https?:$/.test(URL.parse(baseURL)?.protocol ?? '')) {
    throw new Error(
      `Base URL ${JSON.stringify(baseURL)} of model provider ${JSON.stringify(provider)} is no http(s) URL`,
    );
  }
  const sdk = new OpenAI({
    baseURL,
    // The SDK insists on a key and would take one for OpenAI from the environment, to send it to whoever is at baseURL.
    apiKey: apiKey || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: { ...(!apiKey && { Authorization: null }), ...headers },
    fetch: patientFetch,
    maxRetries: 0,
    logLevel: 'off',
  });
  const context: ErrorContext = { provider, secrets: [apiKey ?? '', ...Object.values(headers)] };

  const profiles = new Map<string, ProviderProfile>();
  const profileOf = (model: string): ProviderProfile => {
    const profile = profiles.get(model) ?? profileFor({ baseURL, model }, options.profile);
    profiles.set(model, profile);
    return profile;
  };
  const priceOf = ({ price }: ProviderProfile, model: string): Price | undefined =>
    typeof price === 'function' ? price(model) : price;

  return {
    provider,
    hasPrice: (model) => priceOf(profileOf(model), model) !== undefined,
    async complete(request) {
      const profile = profileOf(request.model);
      const body = toWire(request, provider, profile);
      const origin = { provider, model: request.model };
      const price = priceOf(profile, request.model);
      const usageOf = usageReader(body, price);
      const stream = assembleStream(context);
      if (request.signal.aborted) return interruptedAnswer('', origin, unspent);

      const stop = new AbortController();
      const abort = (): void => stop.abort();
      const timeoutMs = Math.min(request.timeoutMs, timerMsMax);
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        stop.abort();
      }, timeoutMs);
      request.signal.addEventListener('abort', abort, { once: true });
      try {
        const response = await sdk.chat.completions
          // The body is built for providers of every kind, so it is wider than the SDK's type for OpenAI's.
          .create(body as unknown as OpenAI.ChatCompletionCreateParams, {
            signal: stop.signal,
            timeout: timerMsMax,
          })
          .asResponse();
        const raw = await readResponse(response, stream, context, request.onText);
        return readAnswer(raw, origin, usageOf, context);
      } catch (error) {
        if (request.signal.aborted) return interruptedAnswer(stream.text(), origin, usageOf);
        // Whole already: only the closing of the stream went wrong.
        if (stream.complete() && !isModelError(error))
          return readAnswer(stream.result(), origin, usageOf, context);
        if (timedOut) {
          throw new ModelError('timeout', `${provider} gave no whole answer within ${timeoutMs} ms`, {
            transient: true,
          });
        }
        throw stream.began() && !isModelError(error)
          ? new ModelError('stream_cut', `${provider}: the connection broke while the answer streamed`, {
              transient: true,
            })
          : toModelError(error, context);
      } finally {
        clearTimeout(timer);
        request.signal.removeEventListener('abort', abort);
        // Ends what is left of the response; after a whole answer nothing is.
        stop.abort();
      }
    },
  };
}

function usageReader(body: Record<string, unknown>, price: Price | undefined) {
  // Images and files in data URLs aren't text; providers count them by size.
  const prompt = (): string =>
    JSON.stringify([body['messages'], body['tools']], (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith('data:') ? '' : value,
    );
  return (usage: unknown, completion: string) =>
    readUsage(usage, { prompt, completion: () => completion }, price);
}

/** A request that was cancelled before it was made cost nothing. */
const unspent = (): ModelAnswer['usage'] => ({
  requests: 0,
  failedRequests: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  estimated: false,
});
