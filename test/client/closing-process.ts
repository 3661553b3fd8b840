/*
 * A client that is closed while calls wait, in a process of its own: `node closing-process.ts <address> <up | gone>`. It
 * reaches the server through a relay, which is gone before the close or stays up. Prints how each call ended, as JSON.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentClient } from '../../src/client.ts';

const [address = '', server] = process.argv.slice(2);
const sockets: Socket[] = [];
const relay = createServer((near) => {
  const [host, port] = address.split(':');
  const far = connect(Number(port), host);
  for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
  near.pipe(far).pipe(near);
}).listen(0, '127.0.0.1');
await once(relay, 'listening');
const cutOff = () => {
  relay.close();
  for (const socket of sockets) socket.destroy();
};

const agents = await AgentClient.connect({ address: `127.0.0.1:${(relay.address() as AddressInfo).port}` });
const taskQueue = `nobody-${randomUUID()}`;
const run = await agents.start('anybody', 'Hello.', { taskQueue, id: `closing-${randomUUID()}` });
const wait = { waitForWorker: true };

async function howItEnds(work: Promise<unknown>): Promise<{ error: string; endedAt: number }> {
  const error = await work.then(
    () => 'none',
    ({ name, code }: Error & { code?: number }) => (code === undefined ? name : `${name} ${code}`),
  );
  return { error, endedAt: Date.now() };
}
const calls = Object.entries({
  result: run.result(wait),
  events: (async () => {
    for await (const _ of run.events(wait));
  })(),
  ask: run.ask('There?', { ...wait, id: 'm' }),
  describe: agents.describe('anybody', { taskQueue }),
}).map(([name, work]) => ({ name, ends: howItEnds(work) }));
await sleep(300);
if (server === 'gone') cutOff();
// A request of the SDK's own, which nobody of ours waits for.
const raw = howItEnds(agents.temporal.workflowService.getSystemInfo({}));
await sleep(1_000);

const closedAt = Date.now();
await agents.close();
await agents.close();
const ended: Record<string, string> = {};
for (const { name, ends } of calls) {
  const { error, endedAt } = await ends;
  ended[name] = endedAt - closedAt < 500 ? error : `${error} after ${endedAt - closedAt} ms`;
}
ended['later'] = (await howItEnds(run.state())).error;
ended['raw'] = (await raw).error;
cutOff();
process.stdout.write(`${JSON.stringify(ended)}\n`);
