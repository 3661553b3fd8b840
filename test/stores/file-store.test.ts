import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileStore } from '../../src/stores/file-store.ts';
import { storeContract } from './store-contract.ts';
import { temporaryDirectory } from './temporary-directory.ts';

storeContract('fileStore', async () => fileStore({ directory: await temporaryDirectory() }));

const value = Buffer.from('a value of some length');
const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

async function filesIn(directory: string, folder: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return paths.filter((path) => path.includes(folder));
}

async function bytesOfValues(directory: string): Promise<number> {
  const sizes = (await filesIn(directory, 'content-')).map(async (path) => {
    // A file may go between the listing and here.
    const found = await stat(path).catch(() => undefined);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('what is lost or damaged on disk', () => {
  test('a value whose file lost a bit is undefined, and can be written again', async () => {
    const directory = await temporaryDirectory();
    const errors: unknown[] = [];
    const store = fileStore({ directory, onError: (operation, error) => errors.push([operation, error]) });
    await store.put('key', value);
    const [path] = await filesIn(directory, 'content-');
    const bytes = await readFile(path!);
    bytes[5]! ^= 1;
    await writeFile(path!, bytes);
    expect(await store.get('key')).toBeUndefined();
    expect(errors).toEqual([['get', expect.objectContaining({ code: 'EINTEGRITY' })]]);
    expect(await store.put('key', value)).toBe(true);
    expect(text(await store.get('key'))).toBe(text(value));
  });

  test.each([0, 7])(
    'a value whose file was cut to %i bytes is undefined, and can be written again',
    async (length) => {
      const directory = await temporaryDirectory();
      const store = fileStore({ directory });
      await store.put('key', value);
      const [path] = await filesIn(directory, 'content-');
      await truncate(path!, length);
      expect(await store.get('key')).toBeUndefined();
      await store.put('key', value);
      expect(text(await store.get('key'))).toBe(text(value));
    },
  );

  test('a value whose index entry is damaged is undefined, and can be written again', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore({ directory });
    await store.put('key', value);
    const [path] = await filesIn(directory, 'index-');
    await writeFile(path!, (await readFile(path!, 'utf8')).replace('"size":', '"sise":'));
    expect(await store.get('key')).toBeUndefined();
    await store.put('key', value);
    expect(text(await store.get('key'))).toBe(text(value));
  });

  test('after the whole directory was removed values are missing and new ones are kept', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore({ directory });
    await store.put('old', value);
    await rm(directory, { recursive: true });
    expect(await store.get('old')).toBeUndefined();
    expect(await store.put('new', value)).toBe(true);
    expect(text(await store.get('new'))).toBe(text(value));
  });

  test('nothing rejects while the directory is removed under its writers and readers', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore({ directory });
    for (let round = 0; round < 10; round++) {
      const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`);
      const writes = keys.map((key) => store.put(key, Buffer.alloc(50_000, key)));
      const reads = keys.map((key) => store.get(key));
      await rm(directory, { recursive: true, force: true }).catch(() => {
        // A writer put a file into a folder that was being removed; the next round removes it.
      });
      for (const kept of await Promise.all(writes)) expect([true, false]).toContain(kept);
      for (const [index, read] of (await Promise.all(reads)).entries()) {
        expect(read === undefined || Buffer.alloc(50_000, keys[index]!).equals(read)).toBe(true);
      }
    }
    await store.close();
    expect(await store.put('after', value)).toBe(true);
    expect(text(await store.get('after'))).toBe(text(value));
  });
});

describe('where nothing can be written', () => {
  test('a file in the place of the directory: nothing is kept, nothing is found, the reason is told', async () => {
    const directory = join(await temporaryDirectory(), 'file');
    await writeFile(directory, 'a file');
    const told: unknown[] = [];
    const store = fileStore({ directory, onError: (operation) => told.push(operation) });
    expect(await store.put('key', value)).toBe(false);
    expect(await store.get('key')).toBeUndefined();
    expect(told).toContain('put');
    await store.close();
  });

  test('a disk that fills up in the middle of a value: not kept, the older value still there', async () => {
    const directory = await temporaryDirectory();
    const script = join(import.meta.dirname, 'write-to-full-disk.ts');
    const limited = `trap '' XFSZ; ulimit -f 2048; exec "$0" "$1" "$2"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script, directory]);
    expect(JSON.parse(stdout)).toEqual({
      small: true,
      large: false,
      read: 'small',
      codes: [['put', 'EFBIG']],
    });
    expect(await filesIn(directory, 'objects/tmp/')).toEqual([]);
  });

  test('a value larger than the store is not kept', async () => {
    const store = fileStore({ directory: await temporaryDirectory(), maxBytes: 10 });
    expect(await store.put('key', value)).toBe(false);
  });
});

describe('several writers on one directory', () => {
  /** One of the values of the other process: one letter, 2,000,000 times. */
  const isWhole = (bytes: Uint8Array | undefined): boolean =>
    bytes !== undefined && Buffer.alloc(2_000_000, bytes[0]).equals(bytes);

  test('two stores read what the other wrote', async () => {
    const directory = await temporaryDirectory();
    const [one, other] = [fileStore({ directory }), fileStore({ directory })];
    await one.put('key', Buffer.from('of one'));
    expect(text(await other.get('key'))).toBe('of one');
    await other.put('key', Buffer.from('of the other'));
    expect(text(await one.get('key'))).toBe('of the other');
  });

  test('a process killed in the middle of its writes leaves a whole value, and others can write', async () => {
    const directory = await temporaryDirectory();
    const script = join(import.meta.dirname, 'write-until-killed.ts');
    const writer = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const store = fileStore({ directory });
    await once(writer.stdout, 'data');
    for (let count = 0; count < 20; count++) {
      const seen = await store.get('key');
      expect(isWhole(seen)).toBe(true);
    }
    writer.kill('SIGKILL');
    await once(writer, 'close');
    expect(isWhole(await store.get('key'))).toBe(true);
    expect(await store.put('key', value)).toBe(true);
    expect(text(await store.get('key'))).toBe(text(value));
  });
});

describe('bounds', () => {
  test('the newest values stay and the directory keeps near its bound, whatever is written', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore({ directory, maxBytes: 1_000_000 });
    for (let count = 0; count < 60; count++) {
      await store.put(`key-${count}`, Buffer.alloc(50_000, count));
    }
    await store.close();
    expect(await bytesOfValues(directory)).toBeLessThanOrEqual(1_000_000 + 125_000 + 50_000);
    expect(await store.get('key-0')).toBeUndefined();
    expect(await store.get('key-59')).toBeDefined();
  });

  test('a directory that an earlier process left too large shrinks with the first write', async () => {
    const directory = await temporaryDirectory();
    const large = fileStore({ directory });
    for (let count = 0; count < 20; count++) await large.put(`key-${count}`, Buffer.alloc(50_000, count));
    await large.close();
    const small = fileStore({ directory, maxBytes: 200_000 });
    await small.put('new', value);
    await small.close();
    expect(await bytesOfValues(directory)).toBeLessThanOrEqual(200_000);
    expect(text(await small.get('new'))).toBe(text(value));
  });
});
