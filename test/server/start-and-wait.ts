/** Run as a process of its own by tests: starts a server on the file given, says where it is, and stays until it is ended. */
import { startServer } from '../../src/server/start-server.ts';

const server = await startServer({ log: () => {}, dbFile: process.argv[2]!, useConfigured: false });
process.stdout.write(`${server.address}\n`);
setInterval(() => {}, 1e6);
