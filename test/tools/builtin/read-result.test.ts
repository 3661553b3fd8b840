import { readResultTool } from '../../../src/tools/builtin/read-result.ts';
import { codePoints } from '../../../src/tools/code-points.ts';
import { fitArguments } from '../../../src/tools/arguments/fit-arguments.ts';
import { resultKey } from '../../../src/tools/result-key.ts';
import { memoryStore } from '../memory-store.ts';

const run = { runId: 'order/7', rootRunId: 'root' };

async function readerOf(text: string | Uint8Array) {
  const store = memoryStore();
  await store.put(resultKey(run, '1/2/0'), Buffer.from(text as string));
  const tool = readResultTool(store);
  return async (args: object): Promise<string> => {
    const fitted = fitArguments(tool, { ref: '1/2/0', ...args });
    if (fitted.problems) throw new Error(fitted.problems.join());
    return (await tool.spec.execute(fitted.output as never, run as never)) as string;
  };
}

describe('read_result', () => {
  test('pages through a result without a gap or an overlap, never cutting a character', async () => {
    const whole = 'a😀é\n'.repeat(2_000);
    const read = await readerOf(whole);
    let text = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: string = await read({ offset });
      expect(codePoints(page)).toBeLessThanOrEqual(2_000);
      const [head = ''] = page.split('\n', 1);
      text += page.slice(head.length + 1);
      const next: string | undefined = /offset: (\d+)/.exec(head)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(text).toBe(whole);
  });

  test('says where a page stands', async () => {
    const read = await readerOf('0123456789');
    expect(await read({ offset: 2, limit: 3 })).toBe(
      '[characters 2–5 of 10 · next: read_result("1/2/0", offset: 5)]\n234',
    );
    expect(await read({ offset: -3 })).toBe('[characters 7–10 of 10 · end]\n789');
    expect(await read({ offset: -30 })).toContain('\n0123456789');
    expect(await read({ offset: 10 })).toMatch(/nothing there: the result has 10 characters/);
  });

  test('reads the first and the last lines', async () => {
    const read = await readerOf('one\ntwo\nthree\n');
    expect(await read({ first: 2 })).toMatch(/\]\none\ntwo$/);
    expect(await read({ last: 1 })).toMatch(/\]\nthree\n$/);
    expect(await read({ last: 9 })).toMatch(/\]\none\ntwo\nthree\n$/);
    expect(await read({ first: 9 })).toMatch(/\]\none\ntwo\nthree\n$/);
  });

  test('bounds long lines', async () => {
    const read = await readerOf(`${'a'.repeat(9_000)}\n${'z'.repeat(9_000)}`);
    expect(codePoints(await read({ first: 1 }))).toBeLessThanOrEqual(2_000);
    expect(await read({ last: 1 })).toMatch(/z{1800}$/);
  });

  test('finds the needle at 80 % of 5 MB', async () => {
    const read = await readerOf(`${'hay '.repeat(1_000_000)}the NEEDLE (1+1)${' hay'.repeat(250_000)}`);
    const found = await read({ grep: 'needle (1+' });
    expect(found).toMatch(/^\[1 of 1 matches\]\n1 @ 4000004: ….*the NEEDLE \(1\+1\).*…$/);
    expect(await read({ offset: 4_000_004, limit: 6 })).toMatch(/\nNEEDLE$/);
  });

  test('shows lines around a match and their numbers', async () => {
    const read = await readerOf('one\ntwo\nthree\nfour\nfive');
    expect(await read({ grep: 'three', context: 1 })).toBe('[1 of 1 matches]\n2- two\n3 @ 8: three\n4- four');
    expect(await read({ grep: 'one', context: 2 })).toBe('[1 of 1 matches]\n1 @ 0: one\n2- two\n3- three');
    expect(await read({ grep: 'nine' })).toMatch(/^\[no match for "nine"/);
  });

  test('searches on from where the last answer ended, missing none', async () => {
    const read = await readerOf(
      Array.from({ length: 300 }, (_, i) => `row ${i} ${'.'.repeat(50)}`).join('\n'),
    );
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const answer: string = await read({ grep: 'ROW', offset });
      expect(codePoints(answer)).toBeLessThanOrEqual(2_000);
      seen.push(...[...answer.matchAll(/row (\d+) /g)].map((match) => match[1]!));
      const next: string | undefined = /offset: (\d+)/.exec(answer)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => String(i)));
  });

  test('has a clear error for a result that is gone', async () => {
    const read = await readerOf('x');
    await expect(read({ ref: '1/3/0' })).rejects.toMatchObject({
      name: 'ToolError',
      message: 'The full result 1/3/0 is not stored, or no longer.',
    });
  });

  test.each([
    ['../../other/root/1/2/0'],
    ['result/order/7/root/1/2/0'],
    ['1/2/0/../1'],
    ['1/2/0\n'],
    [''],
    ['1/2'],
    ['reply-'],
    ['reply-../../../result/x/y/zz'],
    ['reply-a-context_id-of-22-chr/1'],
  ])('takes no reference that could lead out of its run: %j', async (ref) => {
    const read = await readerOf('x');
    await expect(read({ ref })).rejects.toThrow(/no reference to a result/);
  });

  test('does not read bytes as text', async () => {
    const read = await readerOf(new Uint8Array([1, 0, 2]));
    await expect(read({})).rejects.toThrow(/is binary \(3 bytes\)/);
  });

  test('is read-only and may overlap', () => {
    expect(readResultTool(memoryStore()).spec).toMatchObject({
      name: 'read_result',
      readOnly: true,
      idempotent: true,
    });
  });
});
