import type { Carried } from './carry.ts';
import { isPlainObject } from './plain-object.ts';
import type { Run } from './run.ts';

/**
 * The run that a carried state holds, whatever released version wrote it: each version has a step to the next one, and
 * fixtures of every version in `test/core/carried/` that are never edited.
 *
 * @throws Error that names what is wrong: a state from a newer worker, or one that no worker wrote
 */
export function restored(state: unknown): Run {
  if (!isPlainObject(state) || !isPlainObject(state['run'])) {
    throw new Error('carried is no carried state: it needs version and run');
  }
  if (state['version'] !== 1) {
    throw new Error(
      `carried.version is ${JSON.stringify(state['version'])}: this worker reads 1, deploy a newer one`,
    );
  }
  const { run } = state as unknown as Carried;
  const missing = required.filter((field) => !(field in run));
  if (missing.length > 0) throw new Error(`carried.run lacks ${missing.join(', ')}`);
  return run;
}

const required = [
  'rules',
  'agent',
  'keepOpenMs',
  'transcript',
  'inbox',
  'violations',
  'callsByTool',
  'usage',
  'log',
];
