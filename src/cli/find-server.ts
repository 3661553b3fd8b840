import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { fromEnvironment } from '../server/from-environment.ts';
import { defaultDbFile, startServer } from '../server/start-server.ts';
import { ServerError } from '../server/server-error.ts';
import type { Server } from '../server/server.ts';
import type { Terminal } from './command.ts';

/** Where `temporal server start-dev` is, when nobody says otherwise. */
const usual = { host: '127.0.0.1', port: 7233 };
const probeMsMax = 2_000;

/**
 * The server that a command talks to: the configured one, else the one of `.turnloop/` (started for the time of the command
 * when it doesn't run), else one at Temporal's usual address. Throws a `ServerError` that names the remedies when there is none.
 */
export async function findServer({ env, err, signal }: Terminal): Promise<Server> {
  // Which one it is interests when it fails, and then the error says so.
  const configured = await fromEnvironment(env, () => {});
  if (configured !== undefined) return configured;
  if (existsSync(defaultDbFile)) return await startServer({ log: err, env, signal, useConfigured: false });
  const address = `${usual.host}:${usual.port}`;
  const found = (await answers())
    ? await fromEnvironment({ ...env, TEMPORAL_ADDRESS: address }, () => {})
    : undefined;
  if (found !== undefined) return found;
  throw new ServerError(
    `No Temporal server: TEMPORAL_ADDRESS is not set, there is no ${defaultDbFile} in this folder, and nothing listens at ` +
      `${address}. Run \`turnloop dev <file>\` here in another terminal, or set TEMPORAL_ADDRESS.`,
  );
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...usual, timeout: probeMsMax });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
