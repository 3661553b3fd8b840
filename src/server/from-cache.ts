import { join } from 'node:path';
import { cachedCliFolder, cliFileName, isExecutable } from './cache-folder.ts';

/** The Temporal CLI that an earlier download or build left in turnloop's cache; undefined when there is none. */
export async function fromCache(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const file = join(cachedCliFolder(env), cliFileName);
  return (await isExecutable(file)) ? file : undefined;
}
