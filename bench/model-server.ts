import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithProcess } from '../src/server/end-with-process.ts';

export interface ModelServer {
  port: number;
  /** Base URL of the OpenAI-compatible API. */
  baseURL: string;
  /** Requests of a run so far, and the bytes of their bodies. */
  stats(runId: string): Promise<{ calls: number; bytes: number; maxBytes: number }>;
  stop(): Promise<void>;
}

/** The scripted model that every contender talks to: the peers' own where they are there, else ours. */
export async function startModelServer(peersFolder: string | undefined): Promise<ModelServer> {
  const file =
    peersFolder === undefined
      ? fileURLToPath(new URL('model-process.ts', import.meta.url))
      : join(peersFolder, 'src', 'model-server.js');
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, MODEL_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const undo = endWithProcess(() => void child.kill('SIGKILL'));
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(([code]) => Promise.reject(new Error(`the model server ${file} ended with ${code}`))),
  ]);
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    baseURL: `${url}/v1`,
    async stats(runId) {
      const response = await fetch(`${url}/_stats?id=${encodeURIComponent(runId)}`);
      return (await response.json()) as Awaited<ReturnType<ModelServer['stats']>>;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      undo();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
