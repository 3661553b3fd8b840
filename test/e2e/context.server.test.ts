import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Contexts } from '../../src/activities/contexts.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { chunk, completion, eventReply, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { RetryableToolError } from '../../src/tools/errors.ts';
import { startRuntime, type Runtime, type RuntimeOptions } from './harness.ts';
import { activitiesOf, eventsOf, payloadsOf, typesOf } from './history.ts';
import { until } from './until.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks something up and returns what is there.',
  parameters: z.object({ what: z.string() }),
  readOnly: true,
  execute: ({ what }) => `${'found '.repeat(40)}result-${what}-end`,
});
const shaky = defineTool({
  name: 'shaky',
  description: 'Works at the second try.',
  parameters: z.object({}),
  execute(_, { attempt }) {
    if (attempt === 1) throw new RetryableToolError('not yet', { retryAfterMs: 10 });
    return 'second try';
  },
});
const agent = defineAgent({
  name: 'finder',
  instructions: 'You find things. instructions-marker',
  model: 'none',
  tools: [look, shaky],
});

const call = (name: string, args: string, id: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calls = (content: string | null, ...made: unknown[]): RawReply => ({
  body: completion({ content, tool_calls: made }, 'tool_calls'),
});
const says = (content: string): RawReply => ({ body: completion({ content }) });

/** A conversation of two turns in which everything happens that puts messages together in its own way. */
const conversation: RawReply[] = [
  calls(
    'Looking.',
    call('look', '{"what":"a"}', 'c1'),
    call('look', '{"what":"b"}', 'c2'),
    call('lok', '{}', 'c3'),
  ),
  says('  '),
  calls(null, call('shaky', '{}', 'c4'), call('look', '{"what":"a"}', 'c1')),
  calls(null, call('look', '{ "what": "a" }', 'c5')),
  { body: completion({ content: 'The first half ' }, 'length') },
  eventReply([
    chunk({ role: 'assistant', reasoning_content: 'hm' }),
    chunk({ content: 'and the ' }),
    chunk({ content: 'second.' }, 'stop'),
  ]),
  calls('Once more.', call('look', '{"what":"c"}', 'c6')),
  says('Nothing new.'),
];

interface Held {
  run: RunHandle;
  texts: string[];
}

/** Drives the conversation on a runtime of its own; `before` runs in the n-th model request, before it is answered. */
async function converse(
  options: Partial<RuntimeOptions>,
  before?: (request: number, runtime: Runtime) => Promise<void>,
  check?: (held: Held) => Promise<void>,
): Promise<string[]> {
  const runtime = await startRuntime({ agents: [agent], ...options });
  try {
    const { model, endpoint } = runtime.playRaw(async (_, index) => {
      await before?.(index + 1, runtime);
      return conversation[index] ?? { status: 400 };
    });
    const run = await runtime.client.start('finder', 'Find it all.', {
      taskQueue: runtime.taskQueue,
      model,
      keepOpenMs: 60_000,
    });
    const ended = (turn: number) => async () => {
      const state = await run.state();
      return state.phase === 'idle' && state.turn === turn;
    };
    await until('turn 1', ended(1));
    await run.send('And c?');
    await until('turn 2', ended(2));
    const state = await run.state();
    expect(state.ended).toEqual({ stopReason: 'completed', text: 'Nothing new.' });
    const texts = endpoint.requests.map((request) => request.text);
    expect(texts).toHaveLength(conversation.length);
    await check?.({ run, texts });
    await run.temporal.terminate();
    return texts;
  } finally {
    await runtime.stop();
  }
}

/** Loses everything right before each model request, in memory and in the store. */
function wiped(): { store: Store; contexts: Contexts } {
  const store = memoryStore();
  class Forgetful extends Contexts {
    override async load(id: string) {
      this.forget();
      await store.close();
      return await super.load(id);
    }
  }
  return { store, contexts: new Forgetful(store) };
}

describe('the context of a model request', () => {
  let undisturbed: string[];
  beforeAll(async () => {
    undisturbed = await converse({}, undefined, async ({ run, texts }) => {
      expect(new Set(texts).size).toBe(texts.length - 1); // the blank reply is asked for again with the same body
      const types = activitiesOf(await eventsOf(run)).map(({ failure }) => failure);
      expect(types).not.toContain('ContextMissing');
    });
  });

  test('is asked of the run when the store is wiped before every request, and is the same to the byte', async () => {
    const texts = await converse(wiped(), undefined, async ({ run }) => {
      const activities = activitiesOf(await eventsOf(run));
      expect(activities.map(({ failure }) => failure)).not.toContain('ContextMissing');
      const warned: string[] = [];
      for await (const event of warnings(run)) warned.push(event);
      expect(warned).toContain('the context was rebuilt from the run: the store had lost it');
    });
    expect(difference(texts, undisturbed)).toBeUndefined();
  });

  test('is sent again by the run when it can not be asked, and is the same to the byte', async () => {
    const texts = await converse({ ...wiped(), recoverByQuery: false }, undefined, async ({ run }) => {
      const models = activitiesOf(await eventsOf(run)).filter(({ type }) => type === 'turnloop.callModel');
      const outcomes = models.map(({ failure }) => failure ?? 'answered');
      expect(outcomes[0]).toBe('answered');
      expect(outcomes.slice(1, 3)).toEqual(['ContextMissing', 'answered']);
      expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(conversation.length);
    });
    expect(difference(texts, undisturbed)).toBeUndefined();
  });

  test('is the same to the byte with a store that keeps nothing', async () => {
    const nothing: Store = {
      get: () => Promise.resolve(undefined),
      put: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    };
    expect(difference(await converse({ store: nothing }), undisturbed)).toBeUndefined();
  });

  test('is the same to the byte with a store that rejects, and no request is made twice', async () => {
    const rejecting: Store = {
      get: () => Promise.reject(new Error('the disk is on fire')),
      put: () => Promise.reject(new Error('the disk is on fire')),
      close: () => Promise.resolve(),
    };
    expect(difference(await converse({ store: rejecting }), undisturbed)).toBeUndefined();
  });

  test('is the same to the byte with a store that hands out what is no longer what it was given', async () => {
    const kept = memoryStore();
    const damaging: Store = {
      ...kept,
      get: async (key) => (await kept.get(key))?.map((byte, i) => (i % 100 === 50 ? byte ^ 1 : byte)),
    };
    const forgetful = new Contexts(damaging);
    const options = { store: damaging, contexts: forgetful };
    const texts = await converse(options, () => Promise.resolve(forgetful.forget()));
    expect(difference(texts, undisturbed)).toBeUndefined();
  });

  test('is found by the worker that makes it while a slow store is still writing it', async () => {
    const kept = memoryStore();
    const slow: Store = {
      ...kept,
      async put(key, bytes) {
        await sleep(400);
        return await kept.put(key, bytes);
      },
    };
    const texts = await converse({ store: slow }, undefined, async ({ run }) => {
      const warned: string[] = [];
      for await (const event of warnings(run)) warned.push(event);
      expect(warned).not.toContain('the context was rebuilt from the run: the store had lost it');
    });
    expect(difference(texts, undisturbed)).toBeUndefined();
  });

  test('is the same to the byte when another worker with an empty store takes over', async () => {
    const texts = await converse({}, async (request, runtime) => {
      if (request !== 4) return;
      await runtime.startWorker({ store: memoryStore() });
      // Not awaited: it ends once this request, which it has in hand, is answered.
      void runtime.worker.stop();
    });
    expect(difference(texts, undisturbed)).toBeUndefined();
  });
});

describe('a history', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  /** A run of `rounds` tool rounds, whose texts all differ. */
  async function rounds(count: number): Promise<RunHandle> {
    const { model } = runtime.playRaw((_, index) =>
      index < count
        ? calls(
            `thought-${index}-end ${'because '.repeat(30)}`,
            call('look', `{"what":"${index}"}`, `c${index}`),
          )
        : says(`${'so '.repeat(30)}answer-end`),
    );
    const run = await runtime.client.start('finder', `${'please '.repeat(30)}question-end`, {
      taskQueue: runtime.taskQueue,
      model,
      limits: { maxIterations: 100 },
    });
    expect(await run.result()).toMatchObject({ stopReason: 'completed', iterations: count + 1 });
    return run;
  }

  test('holds each reply and each result once', async () => {
    const events = await eventsOf(await rounds(12));
    const all = payloadsOf(events).join('\n');
    const occurrences = (marker: string): number => all.split(marker).length - 1;
    for (let n = 0; n < 12; n++) {
      expect([`thought-${n}-end`, occurrences(`thought-${n}-end`)]).toEqual([`thought-${n}-end`, 1]);
      expect([`result-${n}-end`, occurrences(`result-${n}-end`)]).toEqual([`result-${n}-end`, 1]);
    }
    // What comes from outside stands where it came in and in the one request it was new to; the answer in the run's result too.
    expect(occurrences('question-end')).toBe(2);
    expect(occurrences('instructions-marker')).toBe(2);
    expect(occurrences('answer-end')).toBe(2);
    expect(typesOf(events)).not.toContain('WORKFLOW_TASK_FAILED');
  });

  test('grows linearly with the rounds of a run', async () => {
    const counts = [5, 10, 20];
    const bytes = await Promise.all(
      counts.map(async (count) => {
        const activities = activitiesOf(await eventsOf(await rounds(count)));
        return activities.reduce((sum, activity) => sum + activity.bytes, 0);
      }),
    );
    const perRound = counts.slice(1).map((count, i) => (bytes[i + 1]! - bytes[i]!) / (count - counts[i]!));
    // What a round adds stays what it is: longer numbers are all that may come on top.
    expect(Math.max(...perRound) / Math.min(...perRound)).toBeLessThan(1.05);
    expect(perRound[0]).toBeGreaterThan(500);
    expect(perRound[0]).toBeLessThan(3_000);
  });
});

/** Where two lists of bodies differ first; the bodies as a whole are too long to read. */
function difference(texts: string[], expected: string[]): string | undefined {
  const n = expected.findIndex((text, i) => texts[i] !== text);
  if (n < 0) return texts.length === expected.length ? undefined : `${texts.length} requests`;
  const [text = '', wanted = ''] = [texts[n], expected[n]];
  const at = Array.from(wanted).findIndex((_, i) => text[i] !== wanted[i]);
  return `request ${n + 1} from character ${at}: ${text.slice(at - 40, at + 80)} instead of ${wanted.slice(at - 40, at + 80)}`;
}

async function* warnings(run: RunHandle): AsyncGenerator<string> {
  const { items } = await run.temporal.query<{ items: { kind: string; warnings?: string[] }[] }, [number]>(
    'events',
    0,
  );
  for (const item of items) yield* item.warnings ?? [];
}
