import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Contexts } from '../../src/activities/contexts.ts';
import { fileStore } from '../../src/stores/file-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { completion, type RawReply, type ReceivedRequest } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { Dice } from '../core/dice.ts';
import { startRuntime } from '../e2e/harness.ts';
import { temporaryDirectory } from '../stores/temporary-directory.ts';
import { seed } from '../tools/seed.ts';
import { expectSound } from './sound-history.ts';

const look = defineTool({
  name: 'look',
  description: 'Returns a long text.',
  parameters: z.object({ n: z.number() }),
  readOnly: true,
  execute: ({ n }) => `result ${n} `.repeat(600),
});
const measure = defineTool({
  name: 'measure',
  description: 'Returns the length of a text.',
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: ({ text }) => `${text.length} characters`,
});
const agent = defineAgent({
  name: 'store',
  instructions: 'Be thorough.',
  model: 'none',
  tools: [look, measure],
});

const calls = (...made: [name: string, args: object][]): RawReply => ({
  body: completion(
    {
      content: null,
      tool_calls: made.map(([name, args], i) => ({
        id: `c${i}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    'tool_calls',
  ),
});

/** Six rounds: two results a round, the first two of them read again later, and arguments too large for the history. */
const rounds = 6;
const script = (index: number): RawReply => {
  if (index === rounds) return { body: completion({ content: 'All read.' }) };
  if (index === 2 || index === 4)
    return calls(['read_result', { ref: `1/1/${index / 2 - 1}` }], ['look', { n: index }]);
  if (index === 3) return calls(['measure', { text: 'x'.repeat(600_000) }], ['look', { n: index }]);
  return calls(['look', { n: index }], ['look', { n: index + 100 }]);
};

interface Faulty {
  store: Store;
  contexts?: Contexts;
  /** Right before the n-th model request is answered. */
  disturb?(request: number): Promise<void>;
  recoverByQuery?: boolean;
  /** Runs at once. Default: 1. */
  sideBySide?: number;
}

/** Runs on a store with faults: all complete, no request lacks anything, all histories are sound. */
async function survives({
  store,
  contexts,
  disturb,
  recoverByQuery = true,
  sideBySide = 1,
}: Faulty): Promise<string[]> {
  const runtime = await startRuntime({
    agents: [agent],
    store,
    recoverByQuery,
    ...(contexts === undefined ? {} : { contexts }),
    profile: { stream: false },
  });
  try {
    const made = Array.from({ length: sideBySide }, () =>
      runtime.playRaw(async (_, index) => {
        await disturb?.(index + 1);
        return script(index);
      }),
    );
    const runs = await Promise.all(
      made.map(({ model }) =>
        runtime.client.start('store', 'Read it all.', { taskQueue: runtime.taskQueue, model }),
      ),
    );
    for (const run of runs) {
      const result = await run.result();
      expect(result).toEqual(expect.objectContaining({ text: 'All read.', stopReason: 'completed' }));
      await expectSound(run);
    }
    for (const { endpoint } of made) endpoint.requests.forEach(expectWhole);
    return made.flatMap(({ endpoint }) => readResultsIn(endpoint.requests.at(-1)!));
  } finally {
    await runtime.stop();
  }
}

interface Body {
  messages: { role: string; content: unknown; tool_calls?: unknown[] }[];
}

/** The n-th request holds the instructions, the question and every round before it, in full. */
function expectWhole({ body }: ReceivedRequest, index: number): void {
  const roles = (body as unknown as Body).messages.map(({ role }) => role);
  const round = ['assistant', 'tool', 'tool'];
  expect(roles).toEqual(['system', 'user', ...Array.from({ length: index }, () => round).flat()]);
}

/** What `read_result` has said. */
const readResultsIn = ({ body }: ReceivedRequest): string[] => {
  const { messages } = body as unknown as Body;
  return messages
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }, n) => (n === 4 || n === 8 ? [String(content)] : []));
};

/** Keeps nothing in memory, so that every context is loaded from the store. */
class Forgetful extends Contexts {
  override async load(id: string) {
    this.forget();
    return await super.load(id);
  }
}

const nothing: Store = {
  get: () => Promise.resolve(undefined),
  put: () => Promise.resolve(false),
  close: () => Promise.resolve(),
};

describe('a store that keeps everything', () => {
  test('gives back a result that was cut', async () => {
    const read = await survives({ store: memoryStore() });
    expect(read).toHaveLength(2);
    for (const text of read) expect(text).toMatch(/^\[characters 0–1,800 of [56],[46]00.*\nresult \d/);
  });
});

describe('a store that loses what it is given', () => {
  test.each([true, false])(
    `costs resends and results that are no longer there, never a run, at any moment (seed ${seed}, runs may be asked: %j)`,
    async (recoverByQuery) => {
      const dice = new Dice(seed);
      const inner = memoryStore();
      const maybeLose = async () => {
        if (dice.chance(0.2)) await inner.close();
      };
      const store: Store = {
        async get(key) {
          await maybeLose();
          return await inner.get(key);
        },
        async put(key, bytes) {
          const kept = await inner.put(key, bytes);
          await maybeLose();
          return kept;
        },
        close: () => inner.close(),
      };
      const read = await survives({ store, contexts: new Forgetful(store), recoverByQuery, sideBySide: 3 });
      for (const text of read) expect(text).toMatch(/^\[characters 0–1,800|is not stored, or no longer/);
    },
  );

  test('is a clear word to the model, when a result is asked for that is gone', async () => {
    const store = memoryStore();
    const read = await survives({ store, contexts: new Forgetful(store), disturb: () => store.close() });
    for (const text of read) expect(text).toMatch(/The full result 1\/1\/\d is not stored, or no longer/);
  });

  test('or keeps nothing at all says in each result that was cut that the rest is lost', async () => {
    const read = await survives({ store: nothing, contexts: new Forgetful(nothing), recoverByQuery: false });
    for (const text of read) expect(text).toMatch(/is not stored, or no longer/);
  });
});

describe('a store of files', () => {
  test('whose bytes are damaged on disk before each request costs the same', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore({ directory });
    let damaged = 0;
    const disturb = async () => {
      damaged += await flipBytes(join(directory, 'objects'));
    };
    const read = await survives({ store, contexts: new Forgetful(store), disturb });
    expect(damaged).toBeGreaterThan(10);
    for (const text of read) expect(text).toMatch(/is not stored, or no longer/);
  });

  test('whose directory vanishes in the middle, with something else in its place, costs the same', async () => {
    const directory = await temporaryDirectory();
    const failed: string[] = [];
    const store = fileStore({ directory, onError: (operation) => failed.push(operation) });
    const disturb = async (request: number) => {
      if (request < 3) return;
      await rm(join(directory, 'objects'), { recursive: true, force: true, maxRetries: 10 });
      await writeFile(join(directory, 'objects'), 'no directory');
    };
    const read = await survives({ store, contexts: new Forgetful(store), disturb });
    expect(failed).toContain('put');
    for (const text of read) expect(text).toMatch(/is not stored, or no longer/);
  });

  test('that is wiped before each request and is there again costs the same', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore({ directory });
    const disturb = () => rm(join(directory, 'objects'), { recursive: true, force: true, maxRetries: 10 });
    const read = await survives({ store, contexts: new Forgetful(store), disturb, recoverByQuery: false });
    for (const text of read) expect(text).toMatch(/is not stored, or no longer/);
  });
});

/** Damages the contents, not the index that names them. Returns how many. */
async function flipBytes(root: string): Promise<number> {
  let count = 0;
  // Contexts are written beside the request: at the first one nothing may be there yet.
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || !entry.parentPath.includes('content-v2')) continue;
    const file = join(entry.parentPath, entry.name);
    // Evicted, or being written under another name meanwhile.
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined || bytes.length === 0) continue;
    bytes[bytes.length >> 1]!++;
    await writeFile(file, bytes);
    count++;
  }
  return count;
}
