import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FloorActivities } from './floor-activities.ts';

const { ask, look } = proxyActivities<FloorActivities>({ startToCloseTimeout: '1 minute' });

/** The least an agent loop can do on Temporal: one model and one tool activity a turn, with nothing but new data in them. */
export async function agent({ model }: { model: string }): Promise<{ text: string }> {
  const { runId } = workflowInfo();
  for (;;) {
    const reply = await ask({ model, runId });
    if (reply.text !== undefined) return { text: reply.text };
    await look({ runId, args: reply.args });
  }
}
