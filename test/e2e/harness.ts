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
import { rawEndpoint, type RawEndpoint } from '../../src/testing/raw-endpoint.ts';
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
  mock: LLMock;
  taskQueue: string;
  /** Bodies of the model requests so far, in order. */
  requests(): ChatRequest[];
  /** A scripted model beside the runtime's own. */
  play(replies: Scripted[]): Script;
  /** An endpoint written byte by byte, as a model of its own. In every request body its model is called `scripted`. */
  playRaw(replies: Parameters<typeof rawEndpoint>[0]): { model: string; endpoint: RawEndpoint };
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

/** A worker in this process on the suite's server, with aimock as its model. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { address, workflowBundle } = testServer();
  const mock = new LLMock({ port: 0 });
  const scripts = new Map<string, { replies: Scripted[]; served: number }>();
  const own = { replies: options.replies ?? [], served: 0 };
  mock.on({}, async (request) => {
    const script = scripts.get(request.model) ?? own;
    const reply = script.replies[Math.min(script.served++, script.replies.length - 1)];
    if (reply === undefined)
      return { error: { message: `no script for model ${request.model}` }, status: 400 };
    return typeof reply === 'function' ? await reply(request) : (reply as never);
  });
  await mock.start();
  const taskQueue = `test-${randomUUID()}`;
  const profile = options.profile === undefined ? {} : { profile: options.profile };
  const models: Record<string, ModelClient> = {
    openai: openAIModels({ provider: 'openai', baseURL: `${mock.url}/v1`, apiKey: 'sk-test', ...profile }),
    raw: {
      provider: 'raw',
      complete: (request) =>
        openAIModels({ provider: 'raw', baseURL: `${mock.url}/${request.model}`, ...profile }).complete({
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
    const running = worker.run().finally(() => connection.close());
    let stopped: Promise<void> | undefined;
    const started: RunningWorker = {
      stop: () => (stopped ??= (worker.shutdown(), running)),
    };
    workers.push(started);
    return started;
  };
  const worker = await startWorker();
  const client = await AgentClient.connect({ address });
  const requests = (): ChatRequest[] =>
    mock.getRequests().map((entry) => entry.body as unknown as ChatRequest);
  return {
    client,
    mock,
    taskQueue,
    requests,
    play(replies) {
      const model = `script-${scripts.size + 1}`;
      scripts.set(model, { replies, served: 0 });
      return { model, requests: () => requests().filter((request) => request?.model === model) };
    },
    playRaw(replies) {
      const endpoint = rawEndpoint(replies);
      const name = `raw-${randomUUID()}`;
      mock.mount(`/${name}`, endpoint);
      return { model: `raw:${name}`, endpoint };
    },
    worker,
    startWorker,
    async stop() {
      await Promise.all(workers.map((each) => each.stop()));
      await client.close();
      await mock.stop();
    },
  };
}
