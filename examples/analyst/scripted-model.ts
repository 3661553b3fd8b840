import { LLMock, type ChatCompletionRequest } from '@copilotkit/aimock';
import { readRequest } from './read-request.ts';
import type { ScriptReply } from './script.ts';
import { scriptFor, scripts } from './scripts.ts';

export interface ScriptedAnalyst {
  /** Base URL of an OpenAI-compatible API, on the loopback interface. */
  url: string;
  /** The questions it has a script for. */
  scripts: string[];
  stop(): Promise<void>;
}

/**
 * Plays the model when there is none. It keeps nothing between requests: each reply is computed from the request's own
 * messages, so answers and charts follow the data, and any request may be repeated.
 */
export async function startScriptedAnalyst(): Promise<ScriptedAnalyst> {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, chunkSize: 24 });
  mock.on({ predicate: () => true, endpoint: 'chat' }, (request) => {
    const reply = scriptedReply(request);
    const body =
      'answer' in reply
        ? { content: reply.answer }
        : {
            content: reply.thought,
            toolCalls: reply.calls.map(({ name, arguments: args }) => ({
              name,
              arguments: JSON.stringify(args),
            })),
          };
    return { ...body, usage: usage(request, body) };
  });
  const url = await mock.start();
  return {
    url: `${url}/v1`,
    scripts: scripts.map(({ question }) => question),
    stop: () => mock.stop(),
  };
}

/** What the scripted model says to a request. */
export function scriptedReply(request: ChatCompletionRequest): ScriptReply {
  const { text, results, mustAnswer } = readRequest(request);
  const match = scriptFor(text);
  if (match) return match.script.next(results, match.found, mustAnswer);
  return {
    answer: [
      `No model is configured, and the scripted one that plays it has no script for "${text.trim().slice(0, 200)}". It has these:`,
      ...scripts.map(({ question }) => `- ${question}`),
      'Set OPENAI_API_KEY (and OPENAI_BASE_URL for another provider) to ask a real model anything.',
    ].join('\n'),
  };
}

/** About four characters a token, the usual measure for English and JSON. */
const charsPerToken = 4;

function usage({ messages, tools = [] }: ChatCompletionRequest, body: object) {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / charsPerToken);
  return { prompt_tokens: tokens({ messages, tools }), completion_tokens: tokens(body) };
}
