import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { workflowsPath } from './workflows-path.ts';

const written = new Set<string>();

/**
 * Writes a module that exports the workflows of a worker's own module and ours, and returns its path. Temporal's bundler
 * resolves packages from where its entry is, so the file goes into the cache folder of the project's `node_modules`, where
 * no watcher looks; without one, beside the worker's module. It is deleted when the process ends.
 */
export function writeWorkflowEntry(ownPath: string): string {
  const folder = cacheFolder(dirname(ownPath)) ?? dirname(ownPath);
  const path = join(folder, `.turnloop-workflows-${process.pid}-${randomUUID()}.cjs`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path,
      `module.exports = { ...require(${JSON.stringify(workflowsPath)}), ...require(${JSON.stringify(ownPath)}) };\n`,
    );
  } catch (error) {
    throw new Error(
      `the workflows of ${ownPath} can't be bundled with turnloop's: ${folder} can't be written. Make it writable, bundle ` +
        'before (bundleWorkflowCode with this plugin) and give workflowBundle, or export the workflows of ' +
        '"turnloop/workflow" from your own module and bundle that.',
      { cause: error },
    );
  }
  if (written.size === 0) process.once('exit', removeWorkflowEntries);
  written.add(path);
  return path;
}

function removeWorkflowEntries(): void {
  for (const path of written) rmSync(path, { force: true });
}

/** `node_modules/.cache/turnloop` of the nearest folder whose packages include Temporal's workflow package. */
function cacheFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', '@temporalio', 'workflow')))
      return join(folder, 'node_modules', '.cache', 'turnloop');
    if (folder === dirname(folder)) return undefined;
  }
}
