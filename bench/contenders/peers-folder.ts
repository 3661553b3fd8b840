import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/server/cache-folder.ts';

const besideTheProject = '../shared/peers';
/** Its workers keep their workflow bundles there. */
const stateFolder = '.state';
const leftBehind = new Set(['node_modules', stateFolder, 'results']);

/**
 * A copy of the peers' folder with its packages installed, in the cache; undefined when there is no such folder. The
 * original is only read.
 *
 * @throws Error when `PEERS_DIR` names a folder that holds no peers
 */
export async function peersFolder(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<string | undefined> {
  const source = resolve(env['PEERS_DIR'] ?? besideTheProject);
  const lockFile = join(source, 'package-lock.json');
  if (!existsSync(lockFile)) {
    if (env['PEERS_DIR'] !== undefined)
      throw new Error(`PEERS_DIR is ${source}, which has no package-lock.json`);
    return undefined;
  }
  const version = createHash('sha256')
    .update(await readFile(lockFile))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder(env), 'bench-peers', version);
  await mkdir(folder, { recursive: true });
  await cp(source, folder, {
    recursive: true,
    force: true,
    filter: (from) => !leftBehind.has(basename(from)),
  });
  // Bundles of an earlier copy may be of other workflows.
  await rm(join(folder, stateFolder), { recursive: true, force: true });
  await mkdir(join(folder, stateFolder));
  const mark = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(mark)) {
    log(`peers: npm ci in ${folder}`);
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env });
  }
  return folder;
}
