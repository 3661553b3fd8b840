import { proxyActivities, sleep } from '@temporalio/workflow';

const activities = proxyActivities<{ look(): Promise<void>; write(): Promise<void> }>({
  startToCloseTimeout: '1 minute',
});

export async function replayed(): Promise<void> {
  await activities.look();
  await sleep(1);
  await activities.write();
  await activities.look();
}
