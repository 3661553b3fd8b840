import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime } from '../e2e/harness.ts';
import { eventsOf, payloadsOf } from '../e2e/history.ts';

const agent = defineAgent({
  name: 'talker',
  instructions: 'Be brief. the-instructions',
  model: 'none',
  tools: [],
});

test('instructions stand once in a request, twice in the history and once in the store, however many turns there are', async () => {
  const inner = memoryStore();
  const written: string[] = [];
  const store: Store = {
    ...inner,
    async put(key, bytes) {
      written.push(new TextDecoder().decode(bytes));
      return await inner.put(key, bytes);
    },
  };
  const runtime = await startRuntime({ agents: [agent], store, replies: [{ content: 'Yes.' }] });
  try {
    const run = await runtime.client.start('talker', 'Turn 1?', {
      taskQueue: runtime.taskQueue,
      keepOpenMs: 60_000,
    });
    const turns = 20;
    for (let n = 2; n <= turns; n++) await run.ask(`Turn ${n}?`);
    const requests = runtime.requests();
    expect(requests).toHaveLength(turns);
    for (const [n, { messages }] of requests.entries()) {
      expect(messages.map(({ role }) => role)).toEqual([
        'system',
        ...Array.from({ length: n }, () => ['user', 'assistant']).flat(),
        'user',
      ]);
    }
    const times = (texts: string[]): number => texts.join('\n').split('the-instructions').length - 1;
    expect(times(written)).toBe(1);
    // As what the turn was opened with, and in the one request it was new to.
    expect(times(payloadsOf(await eventsOf(run)))).toBe(2);
    await run.cancel();
    await run.result();
  } finally {
    await runtime.stop();
  }
});
