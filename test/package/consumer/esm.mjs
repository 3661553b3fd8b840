// An ES module as consumer: worker and client in one process.
import { AgentClient } from 'turnloop/client';
import { createAgentWorker } from 'turnloop/worker';
import { agents } from './agents.ts';

const worker = await createAgentWorker({ agents, taskQueue: process.argv[2] });
const client = await AgentClient.connect();
await worker.runUntil(async () => {
  const run = await client.start('adder', 'What is 2 + 3?', {
    id: process.argv[2],
    taskQueue: process.argv[2],
  });
  console.log(JSON.stringify(await run.result()));
});
await client.close();
process.exit();
