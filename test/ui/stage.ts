import { bundleWorkflowCode, DefaultLogger, NativeConnection } from '@temporalio/worker';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnalyst } from '../../examples/analyst/agent.ts';
import { startScriptedAnalyst } from '../../examples/analyst/scripted-model.ts';
import { quietRuntime } from '../../src/cli/quiet-runtime.ts';
import { AgentClient } from '../../src/client.ts';
import { openAIModels } from '../../src/models/openai.ts';
import type { Server } from '../../src/server/server.ts';
import { startServer } from '../../src/server/start-server.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { createAgentWorker, workflowsPath } from '../../src/worker.ts';

export interface Stage {
  server: Server & { uiUrl: string };
  client: AgentClient;
  workflowBundle: { code: string };
  /** A folder of the test's own. */
  folder: string;
  stop(): Promise<void>;
}

/** An embedded server with its UI, and a worker with the analyst example, whose model is scripted. */
export async function openStage(): Promise<Stage> {
  quietRuntime();
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'turnloop-ui-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const server = await startServer({
      log: (line) => void process.stderr.write(`${line}\n`),
      dbFile: false,
      useConfigured: false,
    });
    ends.push(() => server.stop());
    const { uiUrl } = server;
    if (uiUrl === undefined) throw new Error('The embedded server names no UI.');
    const model = await startScriptedAnalyst();
    ends.push(() => model.stop());
    const { agent, close } = createAnalyst({ chartsDirectory: folder });
    ends.push(close);
    const connection = await NativeConnection.connect(server.connectOptions);
    ends.push(() => connection.close());
    const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
    const worker = await createAgentWorker({
      agents: [agent],
      models: { openai: openAIModels({ provider: 'openai', baseURL: model.url, apiKey: 'scripted' }) },
      store: memoryStore(),
      connection,
      workflowBundle,
    });
    const running = worker.run();
    ends.push(() => (worker.shutdown(), running));
    const client = await AgentClient.connect(server.connectOptions);
    ends.push(() => client.close());
    return { server: { ...server, uiUrl }, client, workflowBundle, folder, stop };
  } catch (thrown) {
    await stop().catch(() => {}); // what went wrong first is what counts
    throw thrown;
  }
}
