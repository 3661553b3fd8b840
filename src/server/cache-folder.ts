import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cliVersion } from './cli-version.ts';

/** Where turnloop keeps what is costly to get: `TURNLOOP_CACHE_DIR`, else `$XDG_CACHE_HOME/turnloop`, else `~/.cache/turnloop`. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env['TURNLOOP_CACHE_DIR'];
  if (own !== undefined && own !== '') return own;
  const xdg = env['XDG_CACHE_HOME'];
  return xdg !== undefined && xdg !== '' ? join(xdg, 'turnloop') : join(homedir(), '.cache', 'turnloop');
}

/** The Temporal CLI's file name on this system. */
export const cliFileName = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

/** The folder of the cached CLI; its temporary neighbours are beside it, on the same file system, so that a rename is atomic. */
export function cachedCliFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), 'temporal-cli', cliVersion);
}

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
