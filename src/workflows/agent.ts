import type { RunInput, RunResult } from '../contract.ts';
import { continueWhenGrown } from './continue-run.ts';
import { runAgent } from './run-agent.ts';

/**
 * One run of an agent: a single task, or a conversation that is kept open. Ends as turn-semantics §7 says: Completed with a
 * `RunResult`; Canceled, with the result in the memo `turnloop`; Failed, with the result in the failure's details.
 */
export async function agentWorkflow(input: RunInput): Promise<RunResult> {
  return await runAgent(input, (live) => continueWhenGrown(live, input));
}
