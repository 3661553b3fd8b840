import fc from 'fast-check';
import type { Store } from '../../src/stores/store.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

/** What every store does. `open` gives a new, empty one with room for at least 50 MB. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the contract of a store`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    test('bytes come back as they went in, all 256 values of them', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      expect(await store.put('key', bytes)).toBe(true);
      expect(Array.from((await store.get('key')) ?? [])).toEqual(Array.from(bytes));
    });

    test('a missing key is undefined', async () => {
      await store.put('here', bytesOf('value'));
      expect(await store.get('elsewhere')).toBeUndefined();
    });

    test('an empty value is a value', async () => {
      expect(await store.put('empty', new Uint8Array())).toBe(true);
      expect((await store.get('empty'))?.length).toBe(0);
    });

    test('the last value written is the one that is read, an earlier one included', async () => {
      for (const value of ['first', 'second', 'first']) {
        expect(await store.put('key', bytesOf(value))).toBe(true);
        expect(textOf(await store.get('key'))).toBe(value);
      }
    });

    test('concurrent writes of one key leave one of the values, whole', async () => {
      const values = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index).repeat(50_000));
      const kept = await Promise.all(values.map((value) => store.put('key', bytesOf(value))));
      expect(kept).toEqual(values.map(() => true));
      expect(values).toContain(textOf(await store.get('key')));
    });

    test('concurrent writes of equal values under different keys are all kept', async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
      await Promise.all(keys.map((key) => store.put(key, bytesOf('the same'))));
      const read = await Promise.all(keys.map((key) => store.get(key)));
      expect(read.map(textOf)).toEqual(keys.map(() => 'the same'));
    });

    test('values of 5 MB come back whole', async () => {
      const bytes = Buffer.alloc(5_000_000, 'turnloop ');
      expect(await store.put('large', bytes)).toBe(true);
      expect(bytes.equals((await store.get('large')) ?? new Uint8Array())).toBe(true);
    });

    test('any text is a key, and no two are mixed up', async () => {
      const keys = [
        '',
        ' ',
        '.',
        '..',
        '../../outside',
        '/etc/passwd',
        'C:\\con',
        'a/b',
        'a//b',
        '%2e%2e',
        '\0',
        'a\nb\tc',
        '__proto__',
        'constructor',
        'toString',
        'Key',
        'key',
        'é',
        'e\u0301',
        '👍',
        'a\ud800',
        'a\ud801',
        'a\ufffd',
        'k'.repeat(10_000),
      ];
      for (const [index, key] of keys.entries()) expect(await store.put(key, bytesOf(`${index}`))).toBe(true);
      for (const [index, key] of keys.entries()) expect(textOf(await store.get(key))).toBe(`${index}`);
    });

    test('a buffer that is reused after the write, or changed after a read, changes nothing in the store', async () => {
      const given = bytesOf('value');
      await store.put('key', given);
      given.fill(0);
      (await store.get('key'))?.fill(0);
      expect(textOf(await store.get('key'))).toBe('value');
    });

    test('random writes and reads agree with a map', async () => {
      const key = fc.constantFrom('a', 'b', 'c');
      const step = fc.oneof(
        fc.record({ key, bytes: fc.uint8Array({ maxLength: 200 }) }),
        fc.record({ key, bytes: fc.constant(undefined) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.uuid(), async (steps, prefix) => {
          const model = new Map<string, number[]>();
          for (const { key, bytes } of steps) {
            if (bytes) {
              expect(await store.put(prefix + key, bytes)).toBe(true);
              model.set(key, Array.from(bytes));
            } else {
              const read = await store.get(prefix + key);
              expect(read && Array.from(read)).toEqual(model.get(key));
            }
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
