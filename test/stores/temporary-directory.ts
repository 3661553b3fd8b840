import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new directory that goes when the test file ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'turnloop-store-'));
  made.push(directory);
  return directory;
}

afterAll(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});
