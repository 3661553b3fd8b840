import { proxyActivities, scheduleActivity } from '@temporalio/workflow';
import { runAgent } from '../../src/workflows/index.ts';

const { archive } = proxyActivities<{ archive(text: string): Promise<string> }>({
  startToCloseTimeout: '30s',
});

/** A workflow of a user's own that runs an agent, then an activity of theirs. */
export async function researchWorkflow(question: string): Promise<string> {
  const { text } = await runAgent({ version: 1, agent: 'helper', input: question });
  return await archive(text);
}

/** Asks for an activity that nobody registered. */
export async function strayWorkflow(): Promise<string> {
  return await scheduleActivity<string>('stray', ['x'], {
    startToCloseTimeout: '30s',
    retry: { maximumAttempts: 1 },
  });
}

/** Asks for a tool that is gone, as a run does. */
export async function goneToolWorkflow(): Promise<{ text: string }> {
  const call = { agent: 'helper', key: '1/1/0', id: 'call-1', args: {}, root: 'x' };
  return await scheduleActivity<{ text: string }>('gone_tool', [call], { startToCloseTimeout: '30s' });
}
