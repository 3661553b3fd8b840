import { proxyActivities } from '@temporalio/workflow';

const { step } = proxyActivities<{ step(n: number): Promise<number> }>({ startToCloseTimeout: '1 minute' });

export async function steps(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await step(n);
}
