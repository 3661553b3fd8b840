import fc from 'fast-check';
import {
  isMessagePart,
  partCharsMax,
  partsMax,
  partsOf,
  withoutAbandoned,
  withPart,
  type PendingParts,
} from '../../src/core/parts.ts';
import { holds } from '../tools/seed.ts';

const texts = fc.tuple(fc.constantFrom('a', '"', '語', '😀', '\ud83d'), fc.integer({ min: 0, max: 400_000 }));

test('parts in any order, some twice, are the message once, with the last that was missing', () => {
  holds(
    fc.property(texts, fc.infiniteStream(fc.nat()), ([unit, count], order) => {
      const json = JSON.stringify({ content: unit.repeat(count) });
      const parts = partsOf('m', json);
      const missing = new Set(parts.map(({ part }) => part));
      let pending: PendingParts = {};
      while (missing.size > 0) {
        const part = parts[Number(order.next().value) % parts.length]!;
        missing.delete(part.part);
        const taken = withPart(pending, part, 0);
        expect(taken.whole === undefined).toBe(missing.size > 0);
        pending = taken.pending;
        if (taken.whole !== undefined) expect(taken.whole === json).toBe(true);
      }
      expect(pending).toEqual({});
    }),
    60,
  );
});

test('a part is under 1 MB in a signal, in any script', () => {
  for (const unit of ['a', '"', '\\', '語', '😀', '\ud83d']) {
    const json = JSON.stringify({ content: unit.repeat(500_000) });
    for (const part of partsOf('m', json)) {
      expect(part.text.length).toBeLessThanOrEqual(partCharsMax);
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(1_000_000);
    }
  }
});

test('an empty text is one part', () => {
  expect(partsOf('m', '')).toEqual([{ id: 'm', part: 1, of: 1, text: '' }]);
});

test('two messages in parts come side by side', () => {
  const [a, b] = [partsOf('a', 'x'.repeat(200_000)), partsOf('b', 'y'.repeat(200_000))];
  let pending: PendingParts = {};
  const wholes = [a[1]!, b[0]!, b[1]!, a[0]!].map((part) => {
    const taken = withPart(pending, part, 0);
    ({ pending } = taken);
    return taken.whole?.[0];
  });
  expect(wholes).toEqual([undefined, undefined, 'y', 'x']);
});

test.each([
  ['says another number of parts', { id: 'm', part: 2, of: 3, text: 'b' }],
  ['lies behind the last one', { id: 'm', part: 3, of: 2, text: 'b' }],
  ['came before, with another text', { id: 'm', part: 1, of: 2, text: 'other' }],
])('a part that %s changes nothing', (_, part) => {
  const { pending } = withPart({}, { id: 'm', part: 1, of: 2, text: 'a' }, 5);
  expect(withPart(pending, part, 5)).toEqual({ pending });
});

test('a message id may be the name of an object property', () => {
  const [first, second] = partsOf('constructor', 'z'.repeat(200_000));
  const { pending } = withPart({}, first!, 0);
  expect(withPart(pending, second!, 0).whole).toHaveLength(200_000);
});

test('what a sender has left in the middle for over ten minutes goes, what is on its way stays', () => {
  const old = withPart({}, { id: 'old', part: 1, of: 2, text: 'a' }, 0).pending;
  const both = withPart(old, { id: 'new', part: 1, of: 2, text: 'a' }, 300_000).pending;
  expect(Object.keys(withoutAbandoned(both, 600_000) ?? {})).toEqual(['old', 'new']);
  expect(Object.keys(withoutAbandoned(both, 600_001) ?? {})).toEqual(['new']);
  expect(withoutAbandoned(both, 900_001)).toBeUndefined();
});

test.each([
  ['an object without part', { id: 'm', content: 'a' }],
  ['a text', 'm'],
  ['null', null],
  ['a list', []],
  ['part 0', { id: 'm', part: 0, of: 2, text: 'a' }],
  ['half a part', { id: 'm', part: 1.5, of: 2, text: 'a' }],
  ['too many parts', { id: 'm', part: 1, of: partsMax + 1, text: 'a' }],
  ['a number as id', { id: 1, part: 1, of: 2, text: 'a' }],
])('%s is no part of a message', (_, value) => {
  expect(isMessagePart(value)).toBe(false);
});

test('what partsOf makes are parts of a message', () => {
  expect(partsOf('m', 'x'.repeat(500_000)).every(isMessagePart)).toBe(true);
});
