import fc from 'fast-check';
import { deepWellFormed, wellFormed } from '../../src/text/well-formed.ts';

test('lone surrogates and NUL become U+FFFD, pairs stay', () => {
  expect(wellFormed('a\uD83Db\uDC00c\0d👋')).toBe('a\uFFFDb\uFFFDc\uFFFDd👋');
});

test('texts and keys are repaired at every depth, everything else stays', () => {
  const json = { 'k\uD800': ['\uD83D', 1, null, true, { deep: 'ok\0' }], empty: {}, list: [] };
  expect(deepWellFormed(json)).toEqual({
    'k\uFFFD': ['\uFFFD', 1, null, true, { deep: 'ok\uFFFD' }],
    empty: {},
    list: [],
  });
});

test('a key named __proto__ stays data', () => {
  const copy = deepWellFormed(JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: boolean };
  expect(copy.admin).toBeUndefined();
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}');
});

test('a value nested deeper than the stack is repaired', () => {
  let deep: unknown = '\uD800';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  let copy = deepWellFormed(deep);
  while (Array.isArray(copy)) copy = copy[0];
  expect(copy).toBe('\uFFFD');
});

test('every JSON value comes out well-formed, and a well-formed one unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (json) => {
      const copy = deepWellFormed(json);
      expect(JSON.stringify(copy).isWellFormed()).toBe(true);
      expect(deepWellFormed(copy)).toEqual(copy);
    }),
  );
});
