import type { Message } from '../../src/contract.ts';
import type { LogEntry } from '../../src/core/log.ts';
import { foldHistory } from '../../src/client/fold/fold-history.ts';
import type { RunHandle } from '../../src/client.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { goldenAgent, resetTools } from '../replay/golden-agent.ts';
import { scenarios, type Scenario } from '../replay/golden-scenarios.ts';

/** Takes everything and has nothing. */
function forgetfulStore(): Store {
  const store = memoryStore();
  return {
    put: (key, bytes) => store.put(key, bytes),
    get: async () => undefined,
    close: () => store.close(),
  };
}

async function play(runtime: Runtime, { replies, limits, keepOpenMs, drive }: Scenario): Promise<RunHandle> {
  resetTools();
  const { model, endpoint } = runtime.playRaw(async (_request, index) => {
    const reply = replies[index] ?? { status: 400, body: { error: { message: `no reply ${index}` } } };
    return typeof reply === 'function' ? await reply(await run) : reply;
  });
  const run: Promise<RunHandle> = runtime.client.start('golden', 'Do what I say.', {
    model,
    taskQueue: runtime.taskQueue,
    ...(limits && { limits }),
    ...(keepOpenMs !== undefined && { keepOpenMs }),
  });
  await drive?.(await run, endpoint);
  await (await run).result();
  return await run;
}

const kinds: [string, { stream: boolean; forgetful: boolean }][] = [
  ['plain replies', { stream: false, forgetful: false }],
  ['streamed replies', { stream: true, forgetful: false }],
  ['a store that forgets', { stream: false, forgetful: true }],
];

describe.each(kinds)('a run with %s', (_, kind) => {
  const names = Object.keys(scenarios).filter((name) => {
    const { stream = false, forgetfulStore: forgetful = false } = scenarios[name]!;
    return stream === kind.stream && forgetful === kind.forgetful;
  });
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({
      agents: [goldenAgent],
      profile: { stream: kind.stream },
      ...(kind.forgetful ? { store: forgetfulStore(), recoverByQuery: false } : {}),
    });
  });
  afterAll(() => runtime.stop());

  test.each(names)('tells by query what its history folds to: %s', async (name) => {
    const handle = await play(runtime, scenarios[name]!);
    const live = {
      log: await handle.temporal.query<{ items: LogEntry[] }, [number]>('events', 0),
      transcript: await handle.temporal.query<{ items: Message[] }, [number]>('transcript', 0),
    };
    const { events } = await handle.temporal.fetchHistory();
    const run = await foldHistory(events ?? [], runtime.client.temporal.options.loadedDataConverter);
    expect(run.log).toEqual(live.log.items);
    expect(run.transcript.map((entry) => entry.message)).toEqual(live.transcript.items);
  });
});
