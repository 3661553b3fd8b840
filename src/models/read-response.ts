import type { StreamAssembly } from './assemble-stream.ts';
import { badReply } from './errors.ts';
import type { ErrorContext } from './errors.ts';
import type { RawCompletion } from './raw-completion.ts';
import { readCompletion } from './read-completion.ts';
import { sseReader } from './sse.ts';
import { thinkingGate } from './thinking-gate.ts';

/** A reply that is longer is no reply but a fault: the longest that models write stay below 2 MB. */
const replyBytesMax = 32_000_000;

/** Server-sent events begin with a field or a comment. */
const likeEvents = /^\uFEFF?\s*(data|event|id|retry)?:/;

/**
 * Reads the body of a response with status 200, by what came and not by what was asked for: some servers never stream,
 * some always do, and some do it under another content type. `stream` is filled as events arrive, so that its text can be
 * kept when the request is cancelled.
 */
export async function readResponse(
  response: Response,
  stream: StreamAssembly,
  context: ErrorContext,
  onText: ((delta: string) => void) | undefined,
): Promise<RawCompletion> {
  const type = response.headers.get('content-type') ?? '';
  const plain = /json|html/i.test(type) && !/event-stream/i.test(type);
  const events = sseReader();
  const show = onText ? thinkingGate(onText) : undefined;
  const take = (data: string): void => {
    const text = stream.done() ? '' : stream.add(data);
    if (text !== '') show?.(text);
  };

  let whole = '';
  let streams = !plain;
  let began = false;
  for await (const piece of texts(response, context)) {
    if (!began) whole += piece;
    if (plain && !began && likeEvents.test(whole)) streams = true;
    if (!streams) continue;
    const data = events.push(plain && !began ? whole : piece);
    began ||= plain || data.length > 0;
    data.forEach(take);
    if (stream.done()) break;
  }
  const last = streams ? events.end() : [];
  last.forEach(take);
  // Nothing in it was an event: it is a completion after all, or something that has to be shown in the error.
  if (!began && last.length === 0) return readCompletion(whole, context);
  return stream.result();
}

async function* texts(response: Response, context: ErrorContext): AsyncGenerator<string> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > replyBytesMax) throw badReply(`it is longer than ${replyBytesMax} bytes`, context);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}
