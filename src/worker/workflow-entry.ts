import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workflowsPath } from './workflows-path.ts';

/**
 * Writes a module that exports the workflows of a worker's own module and ours, and returns its path: one file for each
 * pair, however often it is asked for. Temporal's bundler resolves packages from where its entry is, so the file goes into
 * the cache folder of the project's `node_modules`, where no watcher looks; without one, beside the worker's module.
 */
export function writeWorkflowEntry(ownPath: string): string {
  const folder = cacheFolder(dirname(ownPath)) ?? dirname(ownPath);
  const code = `module.exports = { ...require(${JSON.stringify(workflowsPath)}), ...require(${JSON.stringify(ownPath)}) };\n`;
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 12);
  const path = join(folder, `.turnloop-workflows-${digest}.cjs`);
  // The name stands for the content, and it appears by a rename: what is there is whole.
  if (existsSync(path)) return path;
  const unfinished = `${path}.${randomUUID()}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, path);
  } catch (error) {
    throw new Error(
      `the workflows of ${ownPath} can't be bundled with turnloop's: ${folder} can't be written. Make it writable, bundle ` +
        'before (bundleWorkflowCode with this plugin) and give workflowBundle, or export the workflows of ' +
        '"turnloop/workflow" from your own module and bundle that.',
      { cause: error },
    );
  }
  return path;
}

/** `node_modules/.cache/turnloop` of the nearest folder whose packages include Temporal's workflow package. */
function cacheFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', '@temporalio', 'workflow')))
      return join(folder, 'node_modules', '.cache', 'turnloop');
    if (folder === dirname(folder)) return undefined;
  }
}
