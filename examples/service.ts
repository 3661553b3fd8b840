/*
 * An HTTP service in front of agents. It keeps no state: what it knows of a run it asks Temporal, so it may be restarted, or
 * run in any number, at any time.
 *
 *   POST /runs                { "message": "…", "id"?: "…", "agent"?: "…" }   starts a run
 *   GET  /runs/<id>                                                           where it stands
 *   GET  /runs/<id>/events    server-sent events; resumes behind Last-Event-ID, as browsers send it
 *   POST /runs/<id>/messages  { "message": "…", "id"?: "…", "interrupt"?: true }  a message, mid-turn too
 *   POST /runs/<id>/cancel
 *
 * node examples/service.ts [agent]: PORT (8080) and Temporal's own environment; the agents run in workers elsewhere.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setInterval } from 'node:timers';
import { AgentClient } from '../src/client.ts'; // in your project: 'turnloop/client'

const agentByDefault = process.argv[2] ?? 'analyst';
/** Proxies close connections that are silent for about a minute. */
const keepAliveMs = 15_000;
const bodyBytesMax = 1_000_000;

const agents = await AgentClient.connect();
const answering = new Set<Promise<void>>();
const server = createServer((request, response) => {
  const answered = answer(request, response)
    .catch((error: unknown) => fail(response, error))
    .finally(() => answering.delete(answered));
  answering.add(answered);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, root, id, part] = new URL(request.url ?? '/', 'http://service').pathname
    .split('/')
    .map(decodeURIComponent);
  const asked = `${request.method} ${[root, id && ':id', part].filter(Boolean).join('/')}`;
  if (asked === 'POST runs') {
    const { message, id: own, agent = agentByDefault, keepOpenMs } = await bodyOf(request);
    const run = await agents.start(String(agent), textOf(message), {
      ...(own === undefined ? {} : { id: String(own) }),
      ...(keepOpenMs === undefined ? {} : { keepOpenMs: Number(keepOpenMs) }),
    });
    return send(response, 201, { id: run.id, events: `/runs/${encodeURIComponent(run.id)}/events` });
  }
  if (root !== 'runs' || id === undefined || id === '')
    throw new HttpError(404, `there is no ${request.url}`);
  const run = agents.run(id);
  switch (asked) {
    case 'GET runs/:id':
      return send(response, 200, { ...(await run.describe()), state: await run.state() });
    case 'GET runs/:id/events':
      return await stream(run, request, response);
    case 'POST runs/:id/messages': {
      const { message, id: messageId, interrupt } = await bodyOf(request);
      await run.send(textOf(message), {
        ...(messageId === undefined ? {} : { id: String(messageId) }),
        ...(interrupt === true ? { interrupt } : {}),
      });
      return send(response, 202, { id });
    }
    case 'POST runs/:id/cancel':
      await run.cancel();
      return send(response, 202, { id });
    default:
      throw new HttpError(404, `there is no ${request.method} ${request.url}`);
  }
}

/** Each event's id is its `seq`: a reader that comes back with the last one it saw misses none and gets none twice. */
async function stream(
  run: ReturnType<AgentClient['run']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const from = Number(request.headers['last-event-id'] ?? 0);
  if (!Number.isSafeInteger(from) || from < 0) throw new HttpError(400, 'Last-Event-ID is no event of a run');
  await run.describe(); // an unknown run is a 404, not a stream that breaks off
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': events of a run\n\n');
  const ticks = setInterval(() => response.write(': still here\n\n'), keepAliveMs);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for await (const event of run.events({ from, waitForWorker: true, signal: gone.signal })) {
      response.write(`id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    if (!gone.signal.aborted)
      response.write(`event: result\ndata: ${JSON.stringify(await run.result())}\n\n`);
  } finally {
    clearInterval(ticks);
    response.end();
  }
}

class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the errors of `turnloop/client` mean in HTTP; anything else is this service's or its server's failure. */
const statuses: Record<string, number> = {
  TypeError: 400,
  MessageTooLargeError: 413,
  RunNotFoundError: 404,
  RunAlreadyExistsError: 409,
  RunEndedError: 409,
  NoWorkerError: 503,
};

function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return; // nobody is there any more
  const { name, message } = error as Error;
  const status = error instanceof HttpError ? error.status : (statuses[name] ?? 500);
  if (status === 500) console.error(error);
  // An event stream that has begun can't change its status; its reader comes back by itself.
  if (response.headersSent) response.destroy();
  else send(response, status, { error: message });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax)
    throw new HttpError(413, 'the body is too large');
  const body: unknown = await json(request).catch(() => undefined);
  if (typeof body !== 'object' || body === null) throw new HttpError(400, 'the body has to be a JSON object');
  return body as Record<string, unknown>;
}

function textOf(message: unknown): string {
  if (typeof message !== 'string' || message.trim() === '')
    throw new HttpError(400, '"message" has to be a text that is not blank');
  return message;
}

server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Readers of events reconnect elsewhere; runs don't notice. The client is closed when nobody uses it any more.
    server.close();
    server.closeAllConnections();
    void Promise.all(answering).then(() => agents.close());
  });
}
