import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import * as turnloop from './built.ts';
import { incompressible } from './incompressible.ts';
import { obey } from './worker-control.ts';

/*
 * turnloop's worker: `node turnloop-process.ts <task queue> <store folder> <workflow bundle>`, with the server, the model
 * and the tool set by the environment. As any user's worker, but that the model is asked without streaming.
 */
const [taskQueue = '', storeFolder = '', codePath = ''] = process.argv.slice(2);
const { TEMPORAL_ADDRESS: address = '', MODEL_URL: baseURL = '', TOOL_BYTES, TOOL_MS } = process.env;

const lookup = turnloop.tools.defineTool({
  name: 'lookup',
  description: 'Look a key up.',
  parameters: z.object({ key: z.string() }),
  readOnly: true,
  async execute({ key }) {
    if (Number(TOOL_MS) > 0) {
      process.send?.('tool started');
      await sleep(Number(TOOL_MS));
    }
    return incompressible(key, Number(TOOL_BYTES));
  },
});

const agent = turnloop.tools.defineAgent({
  name: 'bench',
  instructions: 'You are a helpful agent.',
  model: 'script',
  tools: [lookup],
  limits: { maxIterations: 10_000, callsPerTurn: 100_000 },
});

Runtime.install({ logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address });
const worker = await turnloop.worker.createAgentWorker({
  agents: [agent],
  models: {
    openai: turnloop.models.openAIModels({
      provider: 'openai',
      baseURL,
      apiKey: 'none',
      profile: { stream: false },
    }),
  },
  store: turnloop.worker.localStore(storeFolder),
  taskQueue,
  connection,
  workflowBundle: { codePath },
});
obey(() => worker.shutdown());
await worker.run();
await connection.close();
process.exit(0);
