import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openAIModels } from '../../src/models/openai.ts';
import { fileStore } from '../../src/stores/file-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { createAgentWorker } from '../../src/worker.ts';
import { testServer } from '../setup/test-server.ts';

/*
 * A worker that dies right behind each reply that it has kept: `node dying-worker.ts <task queue> <base URL> <folder>`. The
 * store is in the folder and outlives it; each death is a line in its file `deaths`. "ready" on stdout says that it polls.
 */
const [taskQueue = '', baseURL = '', folder = ''] = process.argv.slice(2);
process.stdin.resume().once('end', () => process.exit(1));

const deaths = join(folder, 'deaths');
const files = fileStore({ directory: join(folder, 'store') });
const store: Store = {
  get: (key) => files.get(key),
  async put(key, bytes) {
    const kept = await files.put(key, bytes);
    const died = existsSync(deaths) ? readFileSync(deaths, 'utf8').split('\n') : [];
    if (Buffer.from(bytes).includes('"reply":') && !died.includes(key)) {
      appendFileSync(deaths, `${key}\n`);
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => {}); // Not a step further.
    }
    return kept;
  },
  close: () => files.close(),
};
const look = defineTool({
  name: 'look',
  description: 'Returns a text.',
  parameters: z.object({}),
  readOnly: true,
  execute: () => 'found',
});
const measure = defineTool({
  name: 'measure',
  description: 'Returns the length of a text.',
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: ({ text }) => `${text.length} characters`,
});

Runtime.install({ logger: new DefaultLogger('ERROR') });
const { address, workflowBundle } = testServer();
const connection = await NativeConnection.connect({ address });
const worker = await createAgentWorker({
  agents: [defineAgent({ name: 'paid', instructions: 'Look.', model: 'any', tools: [look, measure] })],
  models: { openai: openAIModels({ provider: 'openai', baseURL, apiKey: 'sk-test' }) },
  store,
  taskQueue,
  connection,
  workflowBundle,
});
process.stdout.write('ready\n');
await worker.run();
await connection.close();
process.exit(0);
