import { openAIModels } from '../models/openai.ts';
import type { ModelClient } from '../models/model.ts';
import type { ProviderProfile } from '../models/profile.ts';
import { loadPeer } from './load-peer.ts';
import { profileOf, providers, type Provider } from './provider.ts';
import type { Issued } from './provider-rules.ts';
import type { RawReply, ReceivedRequest } from './raw-endpoint.ts';
import { toFixture, toRawReply, writeAnswer, type WrittenAnswer } from './render-reply.ts';
import { checkReply, type ChatRequest, type Reply, type ReplyFunction } from './reply.ts';
import { strictEndpoint, usedUp } from './strict-endpoint.ts';

export interface ScriptedModelOptions {
  /**
   * Play this provider: refuse what it refuses, write the fields that it wants back, and be asked as it is asked. Default:
   * refuse what any provider refuses.
   */
  as?: Provider;
  /** Name of the provider in the worker's configuration. Default: `as`, else `scripted`. */
  provider?: string;
  /** What differs from the provider's own profile, for example `{ stream: false }`. */
  profile?: Partial<ProviderProfile>;
}

/** A scripted model that runs. */
export interface ScriptedModel {
  /** Asks the scripted model, whatever the model's name. */
  client: ModelClient;
  /** For `createAgentWorker`: the client under its provider's name. */
  models: Record<string, ModelClient>;
  /** For other processes and other clients: an OpenAI-compatible endpoint, any key. */
  baseURL: string;
  /** Bodies of all requests so far, in order; those that were refused too. */
  requests(): ChatRequest[];
  /** Resolves when `count` requests have arrived in all. */
  received(count: number): Promise<void>;
  /** May be called twice. */
  stop(): Promise<void>;
}

/**
 * A model that answers by a script, over real HTTP: aimock behind an endpoint that is as strict as the real ones. A request
 * that a provider would refuse gets a 400 that says why, and the run ends with that message.
 *
 * ```ts
 * const model = await scriptedModel([{ calls: [{ name: 'add', args: { a: 2, b: 3 } }] }, 'It is 5.']);
 * const worker = await createAgentWorker({ agents, models: model.models });
 * ```
 *
 * The n-th request gets the n-th reply; one more than there are is refused ("the script is used up"). Where several runs, or
 * a worker that is killed, make the order uncertain, give a function of the request.
 *
 * @throws TypeError that names the reply and the field; Error when @copilotkit/aimock is not installed
 */
export async function scriptedModel(
  script: readonly (Reply | ReplyFunction)[] | ReplyFunction,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const { as, provider = as ?? 'scripted', profile } = options;
  checkScript(script, as);
  const aimock = '@copilotkit/aimock';
  const { LLMock } = await loadPeer(aimock, 'scriptedModel', () => import('@copilotkit/aimock'));
  const server = new LLMock({ port: 0 });
  const issued: Issued = { signatures: new Set(), reasoning: new Map() };
  const answers = new Map<number, WrittenAnswer>();
  let ids = 0;
  // Nine letters and digits: the only form that every provider takes.
  const nextId = (): string => `call${String(++ids).padStart(5, '0')}`;

  const endpoint = strictEndpoint(
    async (received, index) => {
      const request = received.body as unknown as ChatRequest;
      const reply = await replyTo(script, request, index);
      if (reply === undefined) return usedUp(index + 1, script.length);
      if (typeof reply === 'object' && 'raw' in reply) return reply.raw;
      if (typeof reply === 'object' && 'status' in reply) {
        const { status, message = 'scripted error', headers = {} } = reply;
        return { status, headers, body: { error: { message, type: 'scripted_error' } } };
      }
      const answer = writeAnswer(typeof reply === 'string' ? { text: reply } : reply, as, issued, nextId);
      if (answer.calls.some((call) => call.extra_content)) return toRawReply(answer, request);
      answers.set(index, answer);
      return await rendered(`${server.url}/v1/chat/completions`, received, index);
    },
    { ...(as && { as }), issued },
  );
  // What the endpoint took comes again on the mock's own path, with the number of its answer.
  server.on({}, (request) => toFixture(answers.get(request[numberField] as number)!) as never);
  server.mount('/strict', endpoint);
  await server.start();
  let stopped: Promise<void> | undefined;

  const baseURL = `${server.url}/strict/v1`;
  const client = openAIModels({
    provider,
    baseURL,
    apiKey: 'sk-scripted',
    profile: { ...(as && profileOf(as)), ...profile },
  });
  return {
    client,
    models: { [provider]: client },
    baseURL,
    requests: () => endpoint.requests.map(({ body }) => body as unknown as ChatRequest),
    received: (count) => endpoint.received(count),
    stop: () => (stopped ??= server.stop()),
  };
}

const numberField = 'scripted_answer';

function checkScript(script: unknown, as: unknown): void {
  if (as !== undefined && !providers.includes(as as Provider))
    throw new TypeError(
      `scriptedModel: as is ${String(as)}. Known: ${providers.join(', ')}; leave it out for any provider.`,
    );
  if (typeof script === 'function') return;
  if (!Array.isArray(script) || script.length === 0)
    throw new TypeError(
      'scriptedModel: give a list with at least one reply, or a function (request, index) => reply.',
    );
  for (const [i, reply] of script.entries())
    if (typeof reply !== 'function') checkReply(reply, `scriptedModel: reply ${i + 1}`);
}

async function replyTo(
  script: readonly (Reply | ReplyFunction)[] | ReplyFunction,
  request: ChatRequest,
  index: number,
): Promise<Reply | undefined> {
  const entry = typeof script === 'function' ? script : script[index];
  if (typeof entry !== 'function') return entry;
  const reply: unknown = await entry(request, index);
  checkReply(reply, 'what its function returned');
  return reply;
}

async function rendered(url: string, { body }: ReceivedRequest, index: number): Promise<RawReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, [numberField]: index }),
  });
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
