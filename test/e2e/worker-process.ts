import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openAIModels } from '../../src/models/openai.ts';
import { fileStore } from '../../src/stores/file-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { ToolContext, ToolSpec } from '../../src/tools/define.ts';
import { RetryableToolError } from '../../src/tools/errors.ts';
import { createAgentWorker } from '../../src/worker.ts';
import { testServer } from '../setup/test-server.ts';

/*
 * A worker in a process of its own, so that it can be killed: `node worker-process.ts <task queue> <base URL> <folder>
 * [store]`. With a folder for its store, which it may share, it takes one activity at a time: one that stands still then
 * doesn't take any more. Else its store is in memory.
 * Each execution of a tool is a line in the folder's file `executions`; a tool ends once there is a file with its name.
 * "ready" on stdout says that it polls. It ends with the process that started it.
 */
const [taskQueue = '', baseURL = '', folder = '', store] = process.argv.slice(2);
process.stdin.resume().once('end', () => process.exit(1));

const record = (what: string, { attempt, idempotencyKey }: ToolContext): void =>
  appendFileSync(join(folder, 'executions'), `${JSON.stringify({ what, attempt, idempotencyKey })}\n`);

async function gate(name: string): Promise<void> {
  while (!existsSync(join(folder, name))) await new Promise((resolve) => setTimeout(resolve, 20));
}

const tool = (name: string, more: Partial<ToolSpec<z.ZodObject, string>>) =>
  defineTool<z.ZodObject, string>({
    name,
    description: `The tool ${name}.`,
    parameters: z.object({}),
    async execute(_args, context) {
      record(name, context);
      await gate(name);
      return `${name} done`;
    },
    ...more,
  });

const tools = [
  tool('look', { readOnly: true }),
  tool('pay', {}),
  tool('order', {
    verify: (_args, context) => {
      record('verify order', context);
      return { happened: true, result: 'order found, number 7' };
    },
  }),
  tool('mail', {
    verify: (_args, context) => {
      record('verify mail', context);
      return { happened: false };
    },
  }),
  tool('upload', {}),
  tool('transfer', {
    execute(_args, context) {
      record('transfer', context);
      if (context.attempt === 1) throw new RetryableToolError('the bank is closed for a moment');
      // Gone before the first heartbeat of this attempt was sent.
      process.kill(process.pid, 'SIGKILL');
      return 'not reached';
    },
  }),
  tool('crash', {
    readOnly: true,
    execute(_args, context) {
      record('crash', context);
      process.kill(process.pid, 'SIGKILL');
      return 'not reached';
    },
  }),
];

Runtime.install({ logger: new DefaultLogger('ERROR') });
const { address, workflowBundle } = testServer();
const connection = await NativeConnection.connect({ address });
const worker = await createAgentWorker({
  agents: [defineAgent({ name: 'worker', instructions: 'You work.', model: 'any', tools })],
  models: { openai: openAIModels({ provider: 'openai', baseURL, apiKey: 'sk-test' }) },
  ...(store === undefined
    ? { store: memoryStore() }
    : {
        store: fileStore({ directory: store }),
        temporal: { maxConcurrentActivityTaskExecutions: 1 },
      }),
  taskQueue,
  connection,
  workflowBundle,
});
process.stdout.write('ready\n');
await worker.run();
await connection.close();
process.exit(0);
