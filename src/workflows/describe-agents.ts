import { proxyLocalActivities } from '@temporalio/workflow';
import type { AgentDescription } from '../contract.ts';

const { 'turnloop.describeAgents': describeAgents } = proxyLocalActivities<{
  'turnloop.describeAgents'(): Promise<AgentDescription[]>;
}>({ startToCloseTimeout: '5s', retry: { maximumAttempts: 3 } });

/** The agents that this worker knows. Not a run: a question to whichever worker takes it, over in one task. */
export async function describeAgentsWorkflow(): Promise<AgentDescription[]> {
  return await describeAgents();
}
