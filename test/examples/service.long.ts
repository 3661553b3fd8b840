import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { defineAgent, defineTool } from '../../src/index.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { testServer } from '../setup/test-server.ts';

const script = fileURLToPath(new URL('../../examples/service.ts', import.meta.url));

/** Holds the tool until the test lets it go. */
let gate = Promise.withResolvers<void>();
const look = defineTool({
  name: 'look',
  description: 'Looks, for as long as the test wants.',
  parameters: z.object({}),
  readOnly: true,
  execute: async () => {
    await gate.promise;
    return 'seen';
  },
});

let runtime: Runtime;
let service: Service;

beforeAll(async () => {
  const lastUser = (messages: { role: string; content: unknown }[]) =>
    String(messages.findLast((message) => message.role === 'user')?.content);
  runtime = await startRuntime({
    agents: [
      defineAgent({
        name: 'looker',
        instructions: 'You look.',
        model: 'any',
        tools: [look],
        limits: { cancelGraceMs: 100 },
      }),
    ],
    replies: [
      (request: { messages: { role: string; content: unknown }[] }) =>
        request.messages.some((message) => message.role === 'tool')
          ? { content: `The answer to: ${lastUser(request.messages)}` }
          : { toolCalls: [{ name: 'look', arguments: '{}' }] },
    ] as never,
  });
});
afterAll(() => runtime.stop());
beforeEach(async () => {
  gate = Promise.withResolvers<void>();
  service = await startService();
});
afterEach(async () => {
  gate.resolve();
  await service.kill();
});

interface Service {
  url: string;
  child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

async function startService(): Promise<Service> {
  const env = { ...process.env, TEMPORAL_ADDRESS: testServer().address, PORT: '0' };
  const child = spawn(process.execPath, [script, 'looker'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const out = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\n')) resolve(said);
    });
    closed.then(([status]) => reject(new Error(`the service ended with ${status}: ${said}`)), reject);
  });
  return {
    url: /http:\S+/.exec(out)![0],
    child,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await closed;
    },
  };
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

interface Sent {
  id: string | undefined;
  event: string;
  data: { seq: number; kind: string; messageIds?: string[]; text?: string; stopReason?: string };
}

/** Reads server-sent events until one of them is the last that is wanted, or the stream ends or breaks. */
async function read(id: string, lastEventId: number, last: (event: Sent) => boolean): Promise<Sent[]> {
  const stop = new AbortController();
  const response = await fetch(`${service.url}/runs/${id}/events`, {
    headers: { 'last-event-id': String(lastEventId) },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events: Sent[] = [];
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks.filter((each) => !each.startsWith(':'))) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      events.push({
        id: field('id'),
        event: field('event')!,
        data: JSON.parse(field('data')!) as Sent['data'],
      });
      if (last(events.at(-1)!)) {
        stop.abort();
        return events;
      }
    }
  }
  return events;
}

const start = (id: string) => call('POST', '/runs', { id, message: 'What is there?' });

async function startOnTestQueue(id: string): Promise<void> {
  await runtime.client.start('looker', 'What is there?', { id, taskQueue: runtime.taskQueue });
}

test('a run is streamed, takes a message mid-turn, and goes on through a kill of the service, without gap or repeat', async () => {
  const id = `service-${randomUUID()}`;
  await startOnTestQueue(id);
  const before = await read(id, 0, (event) => event.event === 'call-started');
  await service.kill('SIGKILL');
  service = await startService();

  expect((await call('POST', `/runs/${id}/messages`, { message: 'And now?', id: 'm1' })).status).toBe(202);
  gate.resolve();
  const seen = Number(before.at(-1)!.id);
  const after = await read(id, seen, (event) => event.event === 'result');

  const seqs = [...before, ...after].flatMap((event) => (event.id === undefined ? [] : [Number(event.id)]));
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  expect(after.find((event) => event.event === 'messages-taken')?.data.messageIds).toEqual(['m1']);
  expect(after.at(-1)!.data).toMatchObject({ text: 'The answer to: And now?', stopReason: 'completed' });
});

test('a request starts a run under the id it gives, once', async () => {
  const id = `service-${randomUUID()}`;
  expect(await start(id)).toEqual({ status: 201, body: { id, events: `/runs/${id}/events` } });
  expect(await start(id)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('is under way') },
  });
  await runtime.client.run(id).temporal.terminate('the test is over');
});

test('a run says where it stands', async () => {
  const id = `service-${randomUUID()}`;
  await startOnTestQueue(id);
  await read(id, 0, (event) => event.event === 'call-started');
  expect(await call('GET', `/runs/${id}`)).toMatchObject({
    status: 200,
    body: { id, agent: 'looker', status: 'RUNNING', state: { phase: 'running', turn: 1 } },
  });
  expect((await call('POST', `/runs/${id}/cancel`)).status).toBe(202);
  expect((await read(id, 0, (event) => event.event === 'result')).at(-1)!.data.stopReason).toBe('cancelled');
});

test.each([
  ['GET', '/runs/unknown', undefined, 404, 'no run has id "unknown"'],
  ['GET', '/runs/unknown/events', undefined, 404, 'no run has id "unknown"'],
  ['POST', '/runs/unknown/messages', { message: 'Hello?' }, 404, 'no run has id "unknown"'],
  ['POST', '/runs', { message: ' ' }, 400, '"message" has to be a text that is not blank'],
  ['POST', '/runs', undefined, 400, 'the body has to be a JSON object'],
  ['GET', '/else', undefined, 404, 'there is no /else'],
])('%s %s %j is refused with %d', async (method, path, body, status, why) => {
  expect(await call(method, path, body)).toEqual({ status, body: { error: expect.stringContaining(why) } });
});

test('SIGTERM ends the service at once, streams included, with exit code 0', async () => {
  const id = `service-${randomUUID()}`;
  await startOnTestQueue(id);
  const reading = read(id, 0, () => false);
  await read(id, 0, (event) => event.event === 'call-started');
  reading.catch(() => {}); // the stream is cut: whether that is an end or an error is the reader's network's matter
  const closed = once(service.child, 'close');
  service.child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
});
