import fc from 'fast-check';
import { codePoints } from '../../src/tools/code-points.ts';
import { observe } from '../../src/tools/observe.ts';
import { memoryStore } from './memory-store.ts';
import { holdsAsync } from './seed.ts';

const look = async (value: unknown, { maxChars = 2_000, store = memoryStore(), result = {} } = {}) => {
  const outcome = await observe(value, {
    tool: 'search',
    spec: { result },
    maxChars,
    ref: '1/2/0',
    key: 'result/k',
    store,
  });
  const kept = store.kept.get('result/k');
  return { ...outcome, kept: kept && Buffer.from(kept).toString('utf8') };
};
const note = '...[truncated, full result stored in cache]';

describe('the text of a result', () => {
  test('is a string as it is, even one that begins with Error', async () => {
    expect(await look('Error: just kidding')).toMatchObject({ status: 'ok', text: 'Error: just kidding' });
  });

  test('is JSON with stable keys and non-ASCII as it is', async () => {
    expect((await look({ b: 1, a: ['é', { z: 1, y: null }] })).text).toBe(
      '{"a":["é",{"y":null,"z":1}],"b":1}',
    );
    expect((await look(0)).text).toBe('0');
    expect((await look(false)).text).toBe('false');
  });

  test.each([[undefined], [null], [''], [' \n']])('names the tool for %j', async (value) => {
    expect((await look(value)).text).toBe('(search completed with no output)');
  });

  test('says what is empty', async () => {
    expect((await look([])).text).toBe('(search returned an empty list)');
    expect((await look({})).text).toBe('(search returned an empty object)');
  });

  test('survives what JSON can not hold', async () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    const value = {
      big: 2n ** 70n,
      date: new Date(0),
      never: new Date(Number.NaN),
      map: new Map([['a', 1]]),
      pairs: new Map([[1, 2]]),
      set: new Set([1]),
      nan: Number.NaN,
      fn: () => 1,
      floats: new Float64Array([1.5]),
      error: new RangeError('bad'),
      loop,
      url: new URL('http://x/'),
      get broken(): string {
        throw new Error('no');
      },
    };
    const { text } = await look({ ...Object.fromEntries([['ok', 1]]), value });
    expect(text).toContain('[unreadable: no]');
    const { broken: _, ...rest } = Object.getOwnPropertyDescriptors(value);
    expect(JSON.parse((await look(Object.defineProperties({}, rest))).text)).toEqual({
      big: '1180591620717411303424',
      date: '1970-01-01T00:00:00.000Z',
      never: null,
      map: { a: 1 },
      pairs: [[1, 2]],
      set: [1],
      nan: 'NaN',
      floats: [1.5],
      error: { name: 'RangeError', message: 'bad' },
      loop: { name: 'loop', self: '[circular]' },
      url: 'http://x/',
    });
  });

  test('deep nesting is cut off', async () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect((await look(deep)).text).toContain('[nested too deep]');
  });

  test('holds no terminal escapes, NUL, lone surrogates or secrets, inside objects too', async () => {
    const dirty = '\u001b[1mbold\u001b[0m\0\ud800 sk-abcdefghijklmnop0123456789';
    expect((await look(dirty)).text).toBe('bold\ufffd [redacted]');
    expect((await look({ [dirty]: dirty })).text).toBe('{"bold\ufffd [redacted]":"bold\ufffd [redacted]"}');
    const long = await look(dirty.repeat(500));
    expect(long.kept).not.toMatch(/sk-|\u001b|\0/);
  });
});

describe('a long result', () => {
  test('is a preview with the exact note, and the whole goes to the store', async () => {
    const whole = 'x'.repeat(31_456);
    const outcome = await look(whole);
    expect(outcome).toEqual({
      status: 'ok',
      text: `${'x'.repeat(2_000)}${note} · 2,000 of 31,456 characters · read_result("1/2/0")`,
      ref: '1/2/0',
      chars: 31_456,
      kept: whole,
    });
  });

  test('of exactly the bound is whole', async () => {
    expect((await look('😀'.repeat(2_000))).text).toBe('😀'.repeat(2_000));
    expect((await look('😀'.repeat(2_001))).text).toContain(note);
  });

  test('that the store did not keep says so and offers no read_result', async () => {
    const outcome = await look('x'.repeat(5_000), { store: memoryStore({ broken: true }) });
    expect(outcome.text).toBe(
      `${'x'.repeat(2_000)}...[truncated, the full result could not be stored and is lost] · 2,000 of 5,000 characters`,
    );
    expect(outcome.ref).toBeUndefined();
  });

  test("obeys the tool's own bound first", async () => {
    expect((await look('x'.repeat(50), { result: { maxChars: 10 } })).text).toMatch(/^x{10}\.\.\./);
    expect((await look('x'.repeat(5_000), { result: { maxChars: 9_000 } })).text).toHaveLength(5_000);
  });

  test('that is shown whole is not kept a second time: its text stands in the history', async () => {
    const { text, kept } = await look('x'.repeat(2_000));
    expect(text).toBe('x'.repeat(2_000));
    expect(kept).toBeUndefined();
  });

  test('is cut on code points, and never longer than the bound plus its note', async () => {
    const values = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('😀', 'a', '\ud83d', '\ude00', '\0', '\u001b[1m') }),
      fc.array(fc.record({ id: fc.integer(), text: fc.string({ unit: 'grapheme' }) })),
      fc.jsonValue(),
    );
    const results = fc.record(
      { keepRows: fc.integer({ min: 1, max: 5 }), fields: fc.constantFrom(['id'], ['text', 'id']) },
      { requiredKeys: [] },
    );
    const bounds = fc.integer({ min: 1, max: 200 });
    await holdsAsync(
      fc.asyncProperty(values, bounds, results, async (value, maxChars, result) => {
        const { text } = await look(value, { maxChars, result });
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\0\u001b]/);
        const [shown = '', note] = text.split('...[truncated');
        if (note !== undefined) expect(codePoints(shown.replace(/\n$/, ''))).toBeLessThanOrEqual(maxChars);
        else if (!text.startsWith('(search ')) expect(codePoints(text)).toBeLessThanOrEqual(maxChars);
      }),
    );
  });
});

describe('rows', () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => ({ id: i, name: `n${i}`, note: 'x'.repeat(50) }));

  test('are the first ones, one a line, and how many there are', async () => {
    const { text, kept } = await look(rows);
    const lines = text.split('\n');
    expect(lines).toHaveLength(21);
    expect(JSON.parse(lines[19]!)).toEqual(rows[19]);
    expect(lines[20]).toMatch(
      /^\.\.\.\[truncated, full result stored in cache\] · 20 of 1,000 rows, [\d,]+ characters · read_result\("1\/2\/0"\)$/,
    );
    expect(JSON.parse(kept!)).toEqual(rows);
  });

  test('show the chosen fields in the chosen order', async () => {
    const { text } = await look(rows, { result: { keepRows: 2, fields: ['name', 'id'] } });
    expect(text).toMatch(
      /^\{"name":"n0","id":0\}\n\{"name":"n1","id":1\}\n\.\.\.\[truncated.* · 2 of 1,000 rows \(fields name, id\)/,
    );
  });

  test('are fewer when they do not fit, and a text preview when not even one does', async () => {
    expect((await look(rows, { maxChars: 200 })).text).toContain(' · 2 of 1,000 rows');
    expect((await look(rows, { maxChars: 50 })).text).toMatch(
      /^.{50}\.\.\.\[truncated.* · 50 of [\d,]+ characters/,
    );
  });

  test('inside an object stand behind the rest of it', async () => {
    const { text } = await look({ database: 'staging', rowCount: 1_000, rows }, { result: { keepRows: 1 } });
    expect(text).toMatch(
      /^\{"database":"staging","rowCount":1000\}\n\{"id":0,.*\}\n\.\.\.\[truncated.* · 1 of 1,000 rows/,
    );
  });

  test('that all fit are shown whole', async () => {
    expect((await look(rows.slice(0, 2), { result: { keepRows: 2 } })).text).toBe(
      JSON.stringify(rows.slice(0, 2)),
    );
    expect((await look(rows.slice(0, 3), { result: { keepRows: 2 } })).text).toContain(' · 2 of 3 rows');
  });
});

describe('bytes', () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');

  test('go to the store, and the model reads type, size and reference', async () => {
    const store = memoryStore();
    const { text, ref } = await look(png, { store });
    expect(text).toBe('[search returned image/png, 10 bytes; stored as 1/2/0]');
    expect(ref).toBe('1/2/0');
    expect(Buffer.from(store.kept.get('result/k')!)).toEqual(png);
  });

  test('inside a result are kept one by one', async () => {
    const store = memoryStore();
    const { text } = await look({ a: png, b: [new Uint8Array(3).buffer] }, { store });
    expect(text).toBe(
      '{"a":"[image/png, 10 bytes, 1/2/0#1]","b":["[application/octet-stream, 3 bytes, 1/2/0#2]"]}',
    );
    const kept = [...store.kept.keys()];
    expect(kept.filter((key) => key.startsWith('result/'))).toEqual(['result/k#1', 'result/k#2']);
    // The image once more, by its digest: the model is shown it.
    expect(kept.filter((key) => key.startsWith('file/'))).toHaveLength(1);
  });

  test('that could not be kept are said to be lost', async () => {
    const store = memoryStore({ broken: true });
    expect((await look(png, { store })).text).toMatch(/could not be stored/);
    expect((await look({ a: png }, { store })).text).toMatch(/not kept.*1\/2\/0#1/);
  });
});

test('5 MB get through, whatever their shape', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => ({ id: i, text: 'lorem ipsum é '.repeat(6) }));
  for (const value of [rows, 'x'.repeat(5_000_000), '\u001b]x'.repeat(1_600_000)])
    expect((await look(value)).text).toContain(note);
});
