import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerAfter, scriptOf } from './script-model.ts';

/*
 * The scripted model, a process of its own: `MODEL_PORT=… node model-process.ts`. Chat completions without streaming; what
 * is answered follows from the request alone. `GET /_stats?id=<run>` gives the counters of a run.
 */
interface Counters {
  calls: number;
  bytes: number;
  maxBytes: number;
}
const counters = new Map<string, Counters>();
const countersOf = (id: string): Counters => {
  const known = counters.get(id) ?? { calls: 0, bytes: 0, maxBytes: 0 };
  counters.set(id, known);
  return known;
};

interface ChatRequest {
  model: string;
  messages: { role: string }[];
}

async function answer(body: Buffer, response: ServerResponse): Promise<void> {
  const { model, messages } = JSON.parse(body.toString()) as ChatRequest;
  const { id, turns, latencyMs } = scriptOf(model);
  const counted = countersOf(id);
  counted.calls++;
  counted.bytes += body.length;
  counted.maxBytes = Math.max(counted.maxBytes, body.length);
  const turn = messages.filter(({ role }) => role === 'tool').length;
  const call = {
    id: `call_${turn}`,
    type: 'function',
    function: { name: 'lookup', arguments: JSON.stringify({ key: `k${turn}` }) },
  };
  const isLast = turn >= turns;
  const message = isLast
    ? { role: 'assistant', content: answerAfter(turn) }
    : { role: 'assistant', content: null, tool_calls: [call] };
  const promptTokens = Math.ceil(body.length / 4);
  if (latencyMs) await sleep(latencyMs);
  json(response, {
    id: `chatcmpl-${turn}`,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason: isLast ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: promptTokens, completion_tokens: 12, total_tokens: promptTokens + 12 },
  });
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://model');
  if (pathname === '/_stats') return json(response, countersOf(searchParams.get('id') ?? ''));
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void answer(Buffer.concat(chunks), response));
});
server.listen(Number(process.env['MODEL_PORT']), '127.0.0.1', () => process.stdout.write('ready\n'));
