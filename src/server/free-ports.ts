import { createServer } from 'node:net';

/** The address embedded servers listen on: this machine only. */
export const loopback = '127.0.0.1';

/**
 * A free port for the gRPC service and one for the UI: Temporal's usual ones (7233, 8233) when both are free and wanted.
 * Somebody else may take them before the server does; the caller then asks for others.
 */
export async function freePorts(preferUsual: boolean): Promise<{ port: number; uiPort: number }> {
  if (preferUsual && (await listen(7233)) !== undefined && (await listen(8233)) !== undefined) {
    return { port: 7233, uiPort: 8233 };
  }
  const [port, uiPort] = await Promise.all([listen(0), listen(0)]);
  if (port === undefined || uiPort === undefined) throw new Error(`no port of ${loopback} is free`);
  return { port, uiPort };
}

/** Listens for a moment; undefined when the port is taken. 0 means any. */
function listen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, loopback, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
