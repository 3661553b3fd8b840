import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as the endpoint got it: `text` byte by byte, `body` parsed. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
  body: Record<string, unknown>;
}

/**
 * A reply written byte by byte, for what aimock's fixtures can't say.
 * `end`: `close` (default) ends the response properly, `cut` breaks the connection, `hang` leaves it open, `reset` resets
 * the connection before anything is sent.
 */
export interface RawReply {
  status?: number;
  headers?: Record<string, string>;
  /** Text, bytes or a list of pieces, each flushed on its own; anything else is sent as JSON. */
  body?: unknown;
  end?: 'close' | 'cut' | 'hang' | 'reset';
}

export interface RawEndpoint {
  /** For aimock's `mount`. */
  handleRequest(incoming: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean>;
  readonly requests: ReceivedRequest[];
  /** Resolves when `count` requests have arrived in all. */
  received(count: number): Promise<void>;
  /** Resolves when `count` clients have gone away before their reply was complete. */
  abandoned(count: number): Promise<void>;
}

/**
 * A handler for aimock's `mount(path, handler)` that answers with the replies in turn, or with what a function says. More
 * requests than replies get a 500 that says so, so that a forgotten reply never hangs a test.
 */
export function rawEndpoint(
  replies: RawReply[] | ((request: ReceivedRequest, index: number) => RawReply | Promise<RawReply>),
): RawEndpoint {
  const requests: ReceivedRequest[] = [];
  let gone = 0;
  const waiting: { reached(): boolean; resolve(): void }[] = [];
  const settle = (): void => {
    for (const entry of waiting) if (entry.reached()) entry.resolve();
  };
  const until = (reached: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ reached, resolve });
      settle();
    });

  return {
    requests,
    received: (count) => until(() => requests.length >= count),
    abandoned: (count) => until(() => gone >= count),
    async handleRequest(incoming, response, pathname) {
      const request = { path: pathname, headers: incoming.headers, ...(await readJson(incoming)) };
      const index = requests.push(request) - 1;
      response.on('close', () => {
        if (response.writableFinished) return;
        gone++;
        settle();
      });
      settle();
      const reply = typeof replies === 'function' ? await replies(request, index) : replies[index];
      await send(
        response,
        reply ?? { status: 500, body: { error: { message: `no reply for request ${index + 1}` } } },
      );
      return true;
    },
  };
}

/** The body of an event stream: each chunk as JSON (text as it is), then `[DONE]` unless `done` is false. */
export function events(chunks: unknown[], { done = true }: { done?: boolean } = {}): string[] {
  const data = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  return [...data, ...(done ? ['[DONE]'] : [])].map((line) => `data: ${line}\n\n`);
}

/** A reply that streams such events. */
export function eventReply(
  chunks: unknown[],
  options: { done?: boolean; end?: RawReply['end'] } = {},
): RawReply {
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: events(chunks, options),
    ...(options.end && { end: options.end }),
  };
}

/** One piece of a streamed completion. */
export function chunk(delta: Record<string, unknown>, finish: string | null = null): Record<string, unknown> {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** A whole completion. */
export function completion(
  message: Record<string, unknown>,
  finish: unknown = 'stop',
  usage?: unknown,
): Record<string, unknown> {
  return {
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    ...(usage !== undefined && { usage }),
  };
}

async function readJson(incoming: IncomingMessage): Promise<Pick<ReceivedRequest, 'text' | 'body'>> {
  let text = '';
  for await (const piece of incoming.setEncoding('utf8')) text += piece;
  return { text, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

async function send(response: ServerResponse, reply: RawReply): Promise<void> {
  const { body = '', end = 'close' } = reply;
  if (end === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const raw =
    typeof body === 'string' || body instanceof Uint8Array ? [body] : Array.isArray(body) ? body : undefined;
  response.writeHead(reply.status ?? 200, {
    ...(!raw && { 'content-type': 'application/json' }),
    ...reply.headers,
  });
  response.flushHeaders();
  for (const piece of raw ?? [JSON.stringify(body)]) {
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
  if (end === 'close') response.end();
  if (end === 'cut') response.destroy();
}
