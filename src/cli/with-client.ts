import { AgentClient } from '../client.ts';
import type { Server } from '../server/server.ts';
import { whenAborted } from './when-aborted.ts';

/** Connects a client for some work, and closes it behind: also when the user stops the command, whatever is under way. */
export async function withClient<T>(
  server: Server,
  signal: AbortSignal,
  work: (agents: AgentClient) => Promise<T>,
): Promise<T> {
  const agents = await AgentClient.connect({ ...server.connectOptions, namespace: server.namespace });
  try {
    return await Promise.race([work(agents), whenAborted(signal)]);
  } finally {
    await agents.close();
  }
}
