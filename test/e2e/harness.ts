import { LLMock } from '@copilotkit/aimock';
import {
  DefaultLogger,
  NativeConnection,
  Runtime as TemporalRuntime,
  type LogEntry,
} from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import type { Contexts } from '../../src/activities/contexts.ts';
import { AgentClient } from '../../src/client.ts';
import type { ModelClient } from '../../src/models/model.ts';
import { openAIModels } from '../../src/models/openai.ts';
import type { ProviderProfile } from '../../src/models/profile.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import type { RawEndpoint } from '../../src/testing/raw-endpoint.ts';
import type { Reply } from '../../src/testing/reply.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { strictEndpoint } from '../../src/testing/strict-endpoint.ts';
import type { Agent } from '../../src/tools/define-agent.ts';
import { createAgentWorker } from '../../src/worker.ts';
import { testServer } from '../setup/test-server.ts';

/** A reply of the scripted model: text, calls, an error; or what makes one from the request. */
export type Scripted = Parameters<LLMock['on']>[1];

/** A model of its own: give `model` to a run, and its n-th request gets the n-th reply (the last one all that follow). */
export interface Script {
  model: string;
  requests(): ChatRequest[];
}

/** A worker of the runtime. `stop` lets what is in flight end. */
export interface RunningWorker {
  stop(): Promise<void>;
}

export interface Runtime {
  client: AgentClient;
  taskQueue: string;
  /** Bodies of the model requests so far, in order. */
  requests(): ChatRequest[];
  /** A scripted model beside the runtime's own. */
  play(replies: Scripted[]): Script;
  /** An endpoint written byte by byte, as a model of its own. In every request body its model is called `scripted`. */
  playRaw(replies: Parameters<typeof strictEndpoint>[0]): { model: string; endpoint: RawEndpoint };
  /** The runtime's worker. */
  worker: RunningWorker;
  /** Another worker, with the runtime's options unless others are given. `stop` of the runtime stops it too. */
  startWorker(options?: Partial<RuntimeOptions & { taskQueue: string }>): Promise<RunningWorker>;
  stop(): Promise<void>;
}

export interface ChatRequest {
  model: string;
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: unknown[];
  [field: string]: unknown;
}

export interface RuntimeOptions {
  agents: Agent[];
  /** The n-th request of the runtime's runs gets the n-th reply; the last one answers all that follow. */
  replies?: Scripted[];
  store?: Store;
  contexts?: Contexts;
  profile?: Partial<ProviderProfile>;
  recoverByQuery?: boolean;
}

/** What workers and workflows logged, from warnings on. */
export const logged: LogEntry[] = [];

// Once a test file: Jest gives each its own module registry, and Temporal's runtime is per process.
TemporalRuntime.install({
  logger: new DefaultLogger('WARN', (entry) => {
    logged.push(entry);
    if (entry.level === 'ERROR')
      process.stderr.write(`${entry.message} ${String(entry.meta?.['error'] ?? '')}\n`);
  }),
});

/** A worker in this process on the suite's server, with a scripted model. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { address, workflowBundle } = testServer();
  const scripts = new Map<string, { replies: Scripted[]; served: number }>();
  const own = { replies: options.replies ?? [], served: 0 };
  const profile = options.profile === undefined ? {} : { profile: options.profile };
  const scripted = await scriptedModel(
    async (request) => {
      const script = scripts.get(request.model) ?? own;
      const reply = script.replies[Math.min(script.served++, script.replies.length - 1)];
      if (reply === undefined) return { status: 400, message: `no script for model ${request.model}` };
      return asReply(typeof reply === 'function' ? await reply(request as never) : reply);
    },
    { provider: 'openai', ...profile },
  );
  const rawServer = new LLMock({ port: 0 });
  await rawServer.start();
  const taskQueue = `test-${randomUUID()}`;
  const models: Record<string, ModelClient> = {
    ...scripted.models,
    raw: {
      provider: 'raw',
      complete: (request) =>
        openAIModels({ provider: 'raw', baseURL: `${rawServer.url}/${request.model}`, ...profile }).complete({
          ...request,
          model: 'scripted',
        }),
    },
  };
  const workers: RunningWorker[] = [];
  const startWorker: Runtime['startWorker'] = async (changed = {}) => {
    const { agents, contexts, recoverByQuery, store } = { ...options, ...changed };
    // Core refuses a second worker of the same queue on one connection.
    const connection = await NativeConnection.connect({ address });
    const worker = await createAgentWorker({
      agents,
      models,
      store: store ?? memoryStore(),
      taskQueue: changed.taskQueue ?? taskQueue,
      connection,
      workflowBundle,
      ...(contexts === undefined ? {} : { contexts }),
      ...(recoverByQuery === undefined ? {} : { recoverByQuery }),
    });
    const running = closing(worker.run(), connection);
    let stopped: Promise<void> | undefined;
    const started: RunningWorker = {
      stop: () => (stopped ??= (worker.shutdown(), running)),
    };
    workers.push(started);
    return started;
  };
  const worker = await startWorker();
  const client = await AgentClient.connect({ address });
  const requests = (): ChatRequest[] => scripted.requests() as ChatRequest[];
  return {
    client,
    taskQueue,
    requests,
    play(replies) {
      const model = `script-${scripts.size + 1}`;
      scripts.set(model, { replies, served: 0 });
      return { model, requests: () => requests().filter((request) => request?.model === model) };
    },
    playRaw(replies) {
      const endpoint = strictEndpoint(replies);
      const name = `raw-${randomUUID()}`;
      rawServer.mount(`/${name}`, endpoint);
      return { model: `raw:${name}`, endpoint };
    },
    worker,
    startWorker,
    async stop() {
      await Promise.all(workers.map((each) => each.stop()));
      await client.close();
      await scripted.stop();
      await rawServer.stop();
    },
  };
}

/** Closes the connection behind the worker's run. */
async function closing(run: Promise<void>, connection: NativeConnection): Promise<void> {
  try {
    await run;
  } finally {
    await connection.close();
  }
}

/** The replies of the tests are written as aimock's fixtures are. */
function asReply(fixture: object): Reply {
  const { content, toolCalls, finishReason, usage, error, status } = fixture as {
    content?: string;
    toolCalls?: { id?: string; name: string; arguments: string }[];
    finishReason?: string;
    usage?: { prompt_tokens: number; completion_tokens: number };
    error?: object;
    status?: number;
  };
  if (error) return { raw: { status: status ?? 500, body: { error } } };
  return {
    ...(content !== undefined && { text: content }),
    ...(toolCalls && { calls: toolCalls.map(({ arguments: args, ...call }) => ({ ...call, args })) }),
    ...(finishReason !== undefined && { finish: finishReason }),
    ...(usage && { usage }),
  };
}
