import fc from 'fast-check';
import { plain } from '../../../src/tools/arguments/draft.ts';
import { readArguments } from '../../../src/tools/arguments/read-arguments.ts';
import { holds } from '../seed.ts';

const valueOf = (raw: unknown) => {
  const { value } = readArguments(raw);
  return value && plain(value);
};

describe('reading arguments', () => {
  test.each([[undefined], [null], [''], ['  \n\u00a0'], ['null'], ['""'], ['"  "'], ['{}']])(
    '%j is no arguments',
    (raw) => {
      expect(readArguments(raw)).toMatchObject({ value: {} });
      expect(JSON.parse(readArguments(raw).text)).toEqual({});
    },
  );

  test('an object is taken as it is', () => {
    expect(valueOf({ a: [1, { b: null }] })).toEqual({ a: [1, { b: null }] });
  });

  test('text that was encoded more than once is decoded', () => {
    const once = JSON.stringify({ a: 'x"y' });
    expect(valueOf(JSON.stringify(once))).toEqual({ a: 'x"y' });
    expect(valueOf(JSON.stringify(JSON.stringify(once)))).toEqual({ a: 'x"y' });
    expect(valueOf('{\\"a\\": \\"x\\"}')).toEqual({ a: 'x' });
  });

  test.each([
    ['a trailing comma', '{"a":[1,2,],}', { a: [1, 2] }],
    ['single quotes', "{'a':'it\\'s'}", { a: "it's" }],
    ['unquoted keys', '{a:1, b_2:"x"}', { a: 1, b_2: 'x' }],
    ['a code fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['a code fence around broken text', '```\n{a:1,}\n```', { a: 1 }],
    ['comments', '// first\n{"a":1 /* one */}', { a: 1 }],
    ['literals of Python', "{'a':True,'b':False,'c':None}", { a: true, b: false, c: null }],
    ['raw line breaks in text', '{"sql":"SELECT 1\n\tFROM t"}', { sql: 'SELECT 1\n\tFROM t' }],
    ['a missing comma', '{"a":"b" "c":1}', { a: 'b', c: 1 }],
  ])('%s is mended', (_, raw, expected) => {
    const read = readArguments(raw);
    expect(read.value && plain(read.value)).toEqual(expected);
    expect(JSON.parse(read.text)).toEqual(expected);
  });

  test.each([
    ['cut off in a text', '{"path":"/tmp/fo'],
    ['cut off behind a value', '{"path":"/tmp/foo"'],
    ['cut off in a list', '{"ids":[1,2'],
    ['cut off in a fence', '```json\n{"a":1,'],
    ['a missing value', '{"a":}'],
    ['a missing bracket inside', '{"a":[1}'],
    ['an ellipsis', '{"a":[1,2,...]}'],
    ['a bare word', '{"a": hello}'],
    ['an undefined value', '{"a":undefined}'],
    ['not a number', '{"a":NaN}'],
    ['an unknown escape', '{"a":"\\d+",}'],
    ['quotes inside quotes', '{"a":"say "hi" now"}'],
    ['two objects', '{"a":1}{"b":2}'],
    ['prose', 'I will now call the tool'],
  ])('%s is not mended', (_, raw) => {
    const read = readArguments(raw);
    expect(read.value).toBeUndefined();
    expect(read.text).toBe('{}');
    expect(read.problem).toContain('Received: ');
  });

  test('a list, a number and a text are no object', () => {
    expect(readArguments('[1]').problem).toMatch(/object is needed, this is a list/);
    expect(readArguments('5').problem).toMatch(/this is a number/);
    expect(readArguments('"hello"').problem).toMatch(/not valid JSON/);
    expect(readArguments([1]).problem).toMatch(/this is a list/);
  });

  test('the error quotes a long text shortened', () => {
    expect(readArguments(`{"a":"${'x'.repeat(5_000)}`).problem!.length).toBeLessThan(500);
  });

  test('a field named __proto__ is refused', () => {
    expect(readArguments('{"a":{"__proto__":{"x":1}}}').problem).toMatch(/__proto__/);
  });

  test.each([[100], [5_000], [200_000]])('%d levels of nesting are refused and no crash', (levels) => {
    expect(readArguments(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`).problem).toMatch(/levels deep/);
  });

  test('valid text goes out as it came', () => {
    const raw = ' {"b": 1.50,  "a":"\\u00e9"} ';
    expect(readArguments(raw).text).toBe(raw);
  });

  test('lone surrogates and NUL become U+FFFD, as escapes too', () => {
    for (const raw of ['{"a":"x\\ud800\\u0000"}', '{"a":"x\ud800\\u0000"}', { a: 'x\ud800\0' }])
      expect(readArguments(raw).text).toBe('{"a":"x\ufffd\ufffd"}');
    expect(readArguments('{"a":"\\ud83d\\ude00"}').text).toBe('{"a":"\\ud83d\\ude00"}');
  });

  test('a text that was cut off anywhere never runs', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    holds(
      fc.property(objects, fc.double({ min: 0, max: 0.999, noNaN: true }), (object, share) => {
        const text = JSON.stringify(object);
        const cut = text.slice(0, Math.max(1, Math.floor(text.length * share)));
        expect(readArguments(cut).value).toBeUndefined();
      }),
      1_000,
    );
  });

  test('cut-off text with other damage never runs either', () => {
    const objects = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.oneof(fc.string(), fc.boolean(), fc.integer()),
      {
        minKeys: 1,
      },
    );
    const python = (value: unknown): string =>
      typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
    holds(
      fc.property(objects, fc.nat(), (object, at) => {
        const text = `{${Object.entries(object)
          .map(([key, value]) => `${key}: ${python(value)},`)
          .join(' ')}}`;
        expect(valueOf(text)).toEqual({ ...object });
        expect(valueOf(text.slice(0, 1 + (at % (text.length - 1))))).toBeUndefined();
      }),
    );
  });

  test('what goes out is always the text of an object, and reading it again changes nothing', () => {
    const raws = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue(),
      fc.stringMatching(/^[{}[\]:,"'ab1\\ \n]{0,12}$/),
    );
    holds(
      fc.property(raws, (raw) => {
        const { text, value } = readArguments(raw);
        const sent: unknown = JSON.parse(text);
        expect(typeof sent === 'object' && sent !== null && !Array.isArray(sent)).toBe(true);
        if (!value) return;
        expect(readArguments(text).text).toBe(text);
        expect(valueOf(text)).toEqual(sent);
      }),
      1_000,
    );
  });
});
