// CommonJS as consumer: the same by require(), which Node does for ES modules without top-level await since 22.12.
const { defineAgent, defineTool } = require('turnloop');
const { AgentClient } = require('turnloop/client');
const { createAgentWorker } = require('turnloop/worker');
const { historyFromJSON } = require('@temporalio/common/lib/proto-utils');
const { NativeConnection, Worker } = require('@temporalio/worker');
const { z } = require('zod');
require('turnloop/workflow');
require('turnloop/testing');

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  readOnly: true,
  execute: ({ a, b }) => a + b,
});

async function main() {
  const [, , id, historyFile] = process.argv;
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS });
  const agents = [defineAgent({ name: 'adder', instructions: 'You add.', model: 'any', tools: [add] })];
  const worker = await createAgentWorker({ agents, taskQueue: id, connection });
  const client = await AgentClient.connect();
  await worker.runUntil(async () => {
    const run = await client.start('adder', 'What is 2 + 3?', { id, taskQueue: id });
    const result = await run.result();
    // With more than one copy of protobufjs this throws "type must be a Type".
    const { events } = historyFromJSON(JSON.parse(require('node:fs').readFileSync(historyFile, 'utf8')));
    console.log(JSON.stringify({ ...result, events: events.length, worker: typeof Worker }));
  });
  await client.close();
  await connection.close();
  process.exit();
}

void main();
