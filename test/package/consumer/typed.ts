/** Type-checked only: every entry point, as a consumer in TypeScript meets it. */
import { defineAgent, type Agent, type Message, type Tool } from 'turnloop';
import { AgentClient } from 'turnloop/client';
import { createAgentWorker } from 'turnloop/worker';
import { runAgent } from 'turnloop/workflow';
import * as testing from 'turnloop/testing';
import { agents } from './agents.ts';

const agent: Agent | undefined = agents[0];
const tools: readonly Tool[] = agent?.tools ?? [];
// @ts-expect-error An agent has to have a name: if this is no error, types got lost on the way.
defineAgent({ instructions: '', model: '', tools: [...tools] });

export async function use(): Promise<Message[]> {
  const worker = await createAgentWorker({ agents });
  const client = await AgentClient.connect();
  const run = await client.start('adder', 'What is 2 + 3?', { keepOpenMs: 1_000 });
  await run.send('And 4 + 5?', { interrupt: true });
  const { text, stopReason } = await run.result();
  for await (const event of run.events({ from: 0 })) console.log(event.seq, event.kind, text, stopReason);
  worker.shutdown();
  return await run.transcript();
}

export const entries = [runAgent, testing];
