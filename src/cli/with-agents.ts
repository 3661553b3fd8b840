import type { AgentClient } from '../client.ts';
import type { Server } from '../server/server.ts';
import type { Terminal } from './command.ts';
import { findServer } from './find-server.ts';
import { withClient } from './with-client.ts';

/** Connects to the server of a command, lets it do its work, and takes the connection down again. Ctrl-C ends the waiting. */
export async function withAgents<T>(
  terminal: Terminal,
  work: (agents: AgentClient, server: Server) => Promise<T>,
): Promise<T> {
  const server = await findServer(terminal);
  try {
    return await withClient(server, terminal.signal, (agents) => work(agents, server));
  } finally {
    await server.stop();
  }
}
