import type { LogEntry } from '../../src/core/log.ts';
import { AgentClient } from '../../src/client.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';

const agent = defineAgent({ name: 'teller', instructions: 'You tell.', model: 'any', tools: [] });

describe('the events of a run', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent], replies: [{ content: 'Told.' }] });
  });
  afterAll(() => runtime.stop());

  test('go on behind the last one that was handled, without gap or repeat, also for another client', async () => {
    const run = await runtime.client.start('teller', 'Begin.', {
      taskQueue: runtime.taskQueue,
      keepOpenMs: 600_000,
    });
    const seen: LogEntry[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      if (turn > 1) await run.send(`Go on, ${turn}.`);
      const client = await AgentClient.connect({ address: process.env['TURNLOOP_TEST_ADDRESS']! });
      try {
        // A reader that dies in the middle: it has handled one entry, and the next one goes on there.
        for await (const entry of client.run(run.id).events({ from: seen.length })) {
          seen.push(entry);
          if (entry.kind === 'turn-ended' || seen.length % 2 === 0) break;
        }
        for await (const entry of client.run(run.id).events({ from: seen.at(-1)!.seq })) {
          seen.push(entry);
          if (entry.kind === 'turn-ended' && entry.turn === turn) break;
        }
      } finally {
        await client.close();
      }
    }
    await run.cancel();
    for await (const entry of run.events({ from: seen.at(-1)!.seq })) seen.push(entry);
    const all: LogEntry[] = [];
    for await (const entry of run.events()) all.push(entry);
    expect(seen).toEqual(all);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter(({ kind }) => kind === 'turn-ended').map(({ turn }) => turn)).toEqual([1, 2, 3]);
  });
});
