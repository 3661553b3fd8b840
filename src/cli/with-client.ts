import { AgentClient } from '../client.ts';
import type { Server } from '../server/server.ts';
import { whenAborted } from './when-aborted.ts';

/**
 * Connects a client for some work, and closes it behind. When the user stops the command it isn't closed: on a closed
 * channel the SDK's own retries of requests in flight throw where nobody can catch it, and the process ends at once anyway.
 */
export async function withClient<T>(
  server: Server,
  signal: AbortSignal,
  work: (agents: AgentClient) => Promise<T>,
): Promise<T> {
  const agents = await AgentClient.connect({ ...server.connectOptions, namespace: server.namespace });
  try {
    return await Promise.race([work(agents), whenAborted(signal)]);
  } finally {
    if (!signal.aborted) await agents.close();
  }
}
