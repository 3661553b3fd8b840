import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { ToolContext, ToolSpec } from '../../src/tools/define.ts';
import { RetryableToolError, ToolError } from '../../src/tools/errors.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { testTool } from '../../src/testing/test-tool.ts';

const parameters = z.object({ amount: z.number() });
type Spec = ToolSpec<typeof parameters, unknown>;

/** A tool that keeps account of what it did, as a service with an idempotency key would. */
function transferTool(spec: Partial<Spec> = {}) {
  const done: { key: string; attempt: number }[] = [];
  const tool = defineTool({
    name: 'transfer',
    description: 'Transfers an amount and returns the receipt.',
    parameters,
    execute: ({ amount }: { amount: number }, { idempotencyKey, attempt }: ToolContext): unknown => {
      done.push({ key: idempotencyKey, attempt });
      return `transferred ${amount}`;
    },
    ...spec,
  });
  return { tool, done };
}

test('a call runs as on a worker, its arguments cast and its result shown', async () => {
  const { tool, done } = transferTool();
  const tested = await testTool(tool, '{"amount":"5"}');
  expect(tested).toMatchObject({
    outcome: { status: 'ok', text: 'transferred 5' },
    attempts: 1,
    executions: 1,
    approval: false,
  });
  expect(done).toEqual([{ key: tested.idempotencyKey, attempt: 1 }]);
  expect(tested.stored).toBeUndefined();
});

test('invalid arguments are refused and nothing runs', async () => {
  const { tool, done } = transferTool();
  const { outcome, attempts } = await testTool(tool, { amount: 'much' }, { killAfter: 'end' });
  expect(outcome).toMatchObject({
    status: 'refused',
    text: expect.stringMatching(/amount.*expected.*number/s),
  });
  expect(attempts).toBe(0);
  expect(done).toEqual([]);
});

test('who has to agree is told', async () => {
  const { tool } = transferTool({ approval: ({ amount }) => amount > 100 && `${amount} is much` });
  expect((await testTool(tool, { amount: 101 })).approval).toBe('101 is much');
  expect((await testTool(tool, { amount: 1 })).approval).toBe(false);
});

test('a long result is a preview, and the whole is in the store', async () => {
  const { tool } = transferTool({ execute: () => 'x'.repeat(5_000) });
  const { outcome, stored, storedBytes } = await testTool(
    tool,
    { amount: 1 },
    { limits: { toolResultMaxChars: 100 } },
  );
  expect(outcome).toMatchObject({ ref: '1/1/0', chars: 5_000 });
  expect(outcome.text).toMatch(/^x{100}\.\.\.\[truncated, full result stored in cache\]/);
  expect(stored).toBe('x'.repeat(5_000));
  expect(storedBytes).toHaveLength(5_000);
});

test('a failure that may pass is tried again, without waiting for the pauses', async () => {
  const { tool, done } = transferTool({
    execute: (_, { attempt }) => {
      if (attempt < 3) throw new RetryableToolError('busy', attempt === 2 ? { retryAfterMs: 60_000 } : {});
      return 'at last';
    },
  });
  expect(await testTool(tool, { amount: 1 })).toMatchObject({
    outcome: { status: 'ok', text: 'at last', attempts: 3 },
    attempts: 3,
    executions: 3,
    retryDelaysMs: [1_000, 60_000],
  });
  expect(done).toEqual([]);
});

test('a failure that will not pass is told to the model', async () => {
  const { tool } = transferTool({
    execute: () => {
      throw new ToolError('the account is closed');
    },
  });
  const { outcome, attempts } = await testTool(tool, { amount: 1 });
  expect(outcome).toMatchObject({ status: 'error', text: expect.stringContaining('the account is closed') });
  expect(attempts).toBe(1);
});

describe('when its worker dies behind the work', () => {
  test('a tool that may not be repeated is not: the outcome is unknown', async () => {
    const { tool, done } = transferTool();
    expect(await testTool(tool, { amount: 5 }, { killAfter: 'end' })).toMatchObject({
      outcome: { status: 'unknown', attempts: 2 },
      attempts: 2,
      executions: 1,
    });
    expect(done).toHaveLength(1);
  });

  test('an idempotent tool runs again, with the same key', async () => {
    const { tool, done } = transferTool({ idempotent: true });
    const tested = await testTool(tool, { amount: 5 }, { killAfter: 'end' });
    expect(tested).toMatchObject({ outcome: { status: 'ok' }, attempts: 2, executions: 2 });
    const key = tested.idempotencyKey;
    expect(done).toEqual([
      { key, attempt: 1 },
      { key, attempt: 2 },
    ]);
  });

  test('a tool that can find out is asked', async () => {
    const paid = new Set<string>();
    const { tool } = transferTool({
      execute: (_, { idempotencyKey }) => void paid.add(idempotencyKey),
      verify: (_, { idempotencyKey }) =>
        paid.has(idempotencyKey) ? { happened: true, result: 'already paid' } : { happened: false },
    });
    expect(await testTool(tool, { amount: 5 }, { killAfter: 'end' })).toMatchObject({
      outcome: { status: 'ok', text: 'already paid' },
      executions: 1,
    });
    paid.clear();
    expect(await testTool(tool, { amount: 5 }, { killAfter: 'start' })).toMatchObject({
      outcome: { status: 'ok' },
      attempts: 2,
      executions: 1,
    });
  });

  test('the dead attempt has kept nothing in the store', async () => {
    const store = memoryStore();
    const kept: string[] = [];
    const watched = {
      ...store,
      put: (key: string, bytes: Uint8Array) => (kept.push(key), store.put(key, bytes)),
    };
    const { tool } = transferTool({ execute: () => 'y'.repeat(3_000) });
    const { stored } = await testTool(tool, { amount: 5 }, { killAfter: 'end', store: watched });
    expect(stored).toBeUndefined();
    expect(kept.filter((key) => key.startsWith('result/'))).toEqual([]);
  });
});

test('a death before the work counts no execution, and a failure behind it still has its tries', async () => {
  const { tool } = transferTool({
    readOnly: true,
    execute: () => {
      throw new Error('down');
    },
  });
  expect(await testTool(tool, { amount: 5 }, { killAfter: 'start' })).toMatchObject({
    outcome: { status: 'error' },
    attempts: 4,
    executions: 3,
    retryDelaysMs: [1_000, 2_000],
  });
});

test('what the tool logged and how far it was are told', async () => {
  const { tool } = transferTool({
    execute: (_, context) => {
      context.heartbeat({ done: 0.5 });
      context.log.info('half way', { account: 7 });
    },
  });
  const { progress, log } = await testTool(tool, { amount: 5 });
  expect(progress).toEqual({ done: 0.5 });
  expect(log).toContainEqual(
    expect.objectContaining({
      level: 'INFO',
      message: 'half way',
      attributes: expect.objectContaining({ account: 7 }),
    }),
  );
});

test('a time limit ends the tool', async () => {
  const { tool } = transferTool({
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  });
  const { outcome } = await testTool(tool, { amount: 5 }, { limits: { toolTimeoutMs: 20 } });
  expect(outcome).toMatchObject({ status: 'timeout', text: expect.stringContaining('within 20 ms') });
});

test('what is no tool is refused', async () => {
  await expect(testTool({ name: 'transfer' } as never, {})).rejects.toThrow(
    /Needed: a tool made by defineTool/,
  );
});
