import { rm } from 'node:fs/promises';
import { suite } from './suite.ts';

export default async function globalTeardown(): Promise<void> {
  await suite.server?.stop();
  if (suite.folder !== undefined) await rm(suite.folder, { recursive: true, force: true });
}
