import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime } from '../e2e/harness.ts';
import { calls, resultsIn } from '../e2e/tool-script.ts';
import { expectSound } from './sound-history.ts';

let runs = 0;
const keys: string[] = [];
const look = defineTool({
  name: 'look',
  description: 'Returns a long text.',
  parameters: z.object({}),
  execute(_, { idempotencyKey }) {
    keys.push(idempotencyKey);
    return `of run ${++runs} `.repeat(1_000);
  },
});
const agent = defineAgent({ name: 'again', instructions: 'Look.', model: 'none', tools: [look] });

test('a workflow id that is used again mixes nothing up: neither contexts, results nor idempotency keys', async () => {
  const runtime = await startRuntime({ agents: [agent] });
  try {
    const requests = [];
    for (const n of [1, 2]) {
      const script = runtime.play([
        calls({ name: 'look' }),
        calls({ name: 'read_result', args: { ref: '1/1/0', limit: 20 } }),
        { content: `Answer ${n}.` },
      ]);
      const { taskQueue } = runtime;
      const run = await runtime.client.start('again', 'Go.', {
        taskQueue,
        id: 'the-same-id',
        model: script.model,
      });
      expect(await run.result()).toMatchObject({ text: `Answer ${n}.`, stopReason: 'completed' });
      expect(await run.transcript()).toHaveLength(7);
      await expectSound(run);
      requests.push(script.requests().at(-1));
    }
    expect(resultsIn(requests[0])[0]).toContain('of run 1 ');
    expect(resultsIn(requests[1])[0]).toContain('of run 2 ');
    expect(requests[1]?.messages).toHaveLength(6);
    expect(new Set(keys).size).toBe(2);
  } finally {
    await runtime.stop();
  }
});
