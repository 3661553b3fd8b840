import type { Client } from '@temporalio/client';
import { RunNotFoundError } from './errors.ts';
import { describeExecution } from './execution.ts';
import { isNotFound } from './grpc.ts';
import type { Signals } from './message.ts';
import { RunReader } from './run-reader.ts';
import type { workflowOptions } from './start-options.ts';

/**
 * Signals the run, or starts one with the signal when none is under way. A message that was sent before, maybe by a process
 * that has died since, may have been answered by a run that has ended: then nothing is sent.
 */
export async function sendOrStart(
  client: Client,
  workflow: ReturnType<typeof workflowOptions>,
  signals: Signals,
  message: { id: string; messageId: string; isNew: boolean },
): Promise<void> {
  const { id, messageId } = message;
  if (!message.isNew) {
    if (await signalled(client, id, signals)) return;
    if (await tookMessage(client, id, messageId)) return;
  }
  const [first, ...others] = signals;
  do {
    await client.workflow.signalWithStart('agentWorkflow', {
      ...workflow,
      signal: 'inject',
      signalArgs: [first],
    });
    // A run that ends between two parts took none of them: they all go to the next one.
  } while (!(await signalled(client, id, others)));
}

/** Whether a run is under way that got the message. */
async function signalled(client: Client, id: string, signals: readonly unknown[]): Promise<boolean> {
  try {
    for (const payload of signals) await client.workflow.getHandle(id).signal<unknown[]>('inject', payload);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Whether the newest run with the id, which has ended, took the message into a turn. */
async function tookMessage(client: Client, id: string, messageId: string): Promise<boolean> {
  try {
    const { runId } = await describeExecution(client, id);
    for await (const entry of new RunReader(client, id).events(runId)) {
      const taken = entry.kind === 'turn-started' || entry.kind === 'messages-taken';
      if (taken && entry.messageIds.includes(messageId)) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof RunNotFoundError) return false;
    throw error;
  }
}
