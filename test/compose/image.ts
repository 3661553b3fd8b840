import { mkdir, mkdtemp, symlink, cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runProgram } from './project.ts';

/** A folder laid out as the Dockerfile lays out /app, with the repository's packages in place of the production ones. */
export async function layOutImage(): Promise<{ app: string; remove(): Promise<void> }> {
  const app = await mkdtemp(join(tmpdir(), 'turnloop-image-'));
  const remove = () => rm(app, { recursive: true, force: true });
  try {
    // What `npm run build` does, but into this folder: `dist` may be in use.
    const tsc = join(root, 'node_modules/.bin/tsc');
    const built = await runProgram(
      tsc,
      ['-p', 'tsconfig.build.json', '--outDir', join(app, 'dist')],
      process.env,
    );
    if (built.code !== 0) throw new Error(`The build failed:\n${built.stdout}`);
    await cp(join(root, 'package.json'), join(app, 'package.json'));
    await mkdir(join(app, 'deploy'));
    await cp(join(root, 'deploy/worker-health.mjs'), join(app, 'deploy/worker-health.mjs'));
    await cp(join(root, 'deploy/agents'), join(app, 'agents'), { recursive: true });
    await symlink(join(root, 'node_modules'), join(app, 'node_modules'));
    return { app, remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}
