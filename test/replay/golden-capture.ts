import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { startRuntime } from '../e2e/harness.ts';
import { goldenAgent, resetTools } from './golden-agent.ts';
import type { Scenario } from './golden-scenarios.ts';

/** Plays the scenario on the suite's server and writes its history to a new file. */
export async function captureHistory(name: string, scenario: Scenario, file: string): Promise<void> {
  resetTools();
  const { replies, limits, keepOpenMs } = scenario;
  const runtime = await startRuntime({
    agents: [goldenAgent],
    profile: { stream: scenario.stream ?? false },
    ...(scenario.forgetfulStore ? { store: forgetfulStore(), recoverByQuery: false } : {}),
  });
  try {
    const { model, endpoint } = runtime.playRaw(async (_request, index) => {
      const reply = replies[index] ?? { status: 400, body: { error: { message: `no reply ${index}` } } };
      return typeof reply === 'function' ? await reply(await run) : reply;
    });
    const run: Promise<RunHandle> = runtime.client.start('golden', 'Do what I say.', {
      id: `golden-${name}`,
      model,
      taskQueue: runtime.taskQueue,
      ...(limits && { limits }),
      ...(keepOpenMs !== undefined && { keepOpenMs }),
    });
    const started = await run;
    await scenario.drive?.(started, endpoint);
    const { stopReason } = await started.result();
    if (stopReason !== scenario.stopReason) {
      throw new Error(
        `${name} ended with ${stopReason}, expected ${scenario.stopReason}: nothing was written`,
      );
    }
    await writeFile(file, withoutThisMachine(historyToJSON(await started.temporal.fetchHistory())), {
      flag: 'wx',
    });
  } finally {
    await runtime.stop();
  }
}

/** Process and host stand in identities and sticky queues, paths of this checkout in stack traces. */
function withoutThisMachine(json: string): string {
  const history: unknown = JSON.parse(
    json.replaceAll(`${process.pid}@${hostname()}`, 'worker@host'),
    (key, value) => (key === 'stackTrace' ? '' : (value as unknown)),
  );
  const text = `${JSON.stringify(history, null, 1)}\n`;
  for (const trace of [`@${hostname()}`, process.cwd()]) {
    if (text.includes(trace))
      throw new Error(`the history still holds ${trace}: leave it out in golden-capture.ts`);
  }
  return text;
}

/** Takes everything and has nothing. */
function forgetfulStore(): Store {
  const store = memoryStore();
  return {
    ...store,
    put: (key, bytes) => store.put(key, bytes),
    get: async () => undefined,
    close: () => store.close(),
  };
}
