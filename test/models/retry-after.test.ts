import { retryAfterMs } from '../../src/models/retry-after.ts';

const now = Date.UTC(2026, 10, 18, 12, 0, 0);
const wait = (retryAfter: string | null, ms?: string): number | undefined =>
  retryAfterMs({ retryAfter, retryAfterMs: ms }, now);

test.each<[string | null, number | undefined]>([
  ['3', 3_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['1.5', 1_500],
  ['0.0001', 1],
  ['Wed, 18 Nov 2026 12:00:30 GMT', 30_000],
  ['Wednesday, 18-Nov-26 12:00:30 GMT', 30_000],
  ['Wed Nov 18 12:00:30 2026', 30_000],
  ['Wed, 18 Nov 2026 11:00:00 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['Wed, never', undefined],
  ['2026', 2_026_000],
  ['', undefined],
  [null, undefined],
])('%j is %j ms', (value, expected) => {
  expect(wait(value)).toBe(expected);
});

test('milliseconds go before seconds', () => {
  expect(wait('3', '250.5')).toBe(251);
  expect(wait('3', 'x')).toBe(3_000);
});
