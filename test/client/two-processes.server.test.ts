import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type ChatRequest, type Runtime } from '../e2e/harness.ts';
import { testServer } from '../setup/test-server.ts';

const agent = defineAgent({ name: 'parrot', instructions: 'You repeat.', model: 'any', tools: [] });
const parrot = (request: unknown) => ({
  content: `You said: ${String((request as ChatRequest).messages.at(-1)?.content)}`,
});
const script = fileURLToPath(new URL('./sender-process.ts', import.meta.url));

describe('two processes that keep no state', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [parrot] });
  });
  afterAll(() => runtime.stop());

  /** Lines that the process wrote until its end. */
  async function sender(id: string, messageId: string, text: string, die = false): Promise<string[]> {
    const args = [testServer().address, runtime.taskQueue, id, messageId, text, ...(die ? ['die'] : [])];
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const written = await child.stdout.setEncoding('utf8').toArray();
    return written.join('').trim().split('\n');
  }

  test('share a conversation, and when both are killed and send again, nothing is asked twice', async () => {
    const id = `shared-${randomUUID()}`;
    const killed = await Promise.all([sender(id, 'a', 'From a.', true), sender(id, 'b', 'From b.', true)]);
    expect(killed).toEqual([['sent'], ['sent']]);
    const [a, b] = await Promise.all([sender(id, 'a', 'From a.'), sender(id, 'b', 'From b.')]);
    for (const lines of [a, b]) expect(lines[0]).toBe('sent');
    const answers = [a, b].map((lines) => JSON.parse(lines[1] ?? 'null') as { turn: number; answer: string });
    for (const { answer } of answers) expect(answer).toMatch(/^You said: From [ab]\./u);
    const run = runtime.client.run(id);
    const said = (await run.transcript())
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => String(content).split('\n\n'));
    expect(said.toSorted()).toEqual(['From a.', 'From b.']);
    await run.cancel();
  });
});
