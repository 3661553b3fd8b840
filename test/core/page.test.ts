import { pageOf } from '../../src/core/page.ts';
import { entriesOf } from '../../src/entries-of.ts';

const pages = (list: readonly string[]): string[][] => {
  const all: string[][] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: { items: string[]; next?: number } = pageOf(list, from);
    all.push(page.items);
    from = page.next;
  }
  return all;
};

test('a list that fits is one page without a next', () => {
  expect(pageOf(['a', 'b'], 0)).toEqual({ items: ['a', 'b'] });
  expect(pageOf(['a', 'b'], 1)).toEqual({ items: ['b'] });
});

test('the pages of a long list are the list, each under 1 MB in any script', () => {
  const list = Array.from({ length: 40 }, (_, n) => `${n}${'語'.repeat(30_000)}`);
  expect(pages(list).flat()).toEqual(list);
  for (const page of pages(list)) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_000_000);
});

test('an item larger than a page comes in pieces of its JSON text, each under 1 MB, and the rest behind it', async () => {
  const list = ['a', '"語"'.repeat(400_000), 'b'];
  const read: string[] = [];
  const sizes: number[] = [];
  const ask = async (from: number, offset: number) => {
    const page = pageOf(list, from, offset);
    sizes.push(Buffer.byteLength(JSON.stringify(page)));
    return page;
  };
  for await (const item of entriesOf(ask, 0)) read.push(item);
  expect(read).toEqual(list);
  expect(Math.max(...sizes)).toBeLessThan(1_000_000);
});

test.each([2, 99, Number.NaN])('behind the end (%s) there is nothing', (from) => {
  expect(pageOf(['a', 'b'], from)).toEqual({ items: [] });
});

test('a position before the start is the start', () => {
  expect(pageOf(['a'], -5)).toEqual({ items: ['a'] });
});
