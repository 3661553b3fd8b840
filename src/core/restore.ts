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
  const fields = Object.entries(shapes);
  const missing = fields.filter(([field]) => !Object.hasOwn(run, field));
  if (missing.length > 0) throw new Error(`carried.run lacks ${missing.map(([field]) => field).join(', ')}`);
  const wrong = fields.find(([field, fits]) => !fits(run[field as keyof Run]));
  if (wrong !== undefined)
    throw new Error(`carried.run.${wrong[0]} has not the shape of a run's ${wrong[0]}`);
  return run;
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Fields that every run has. The others may be absent. */
const shapes: { [field in keyof Run]?: (value: unknown) => boolean } = {
  rules: isNumber,
  agent: (value) => typeof value === 'string',
  keepOpenMs: isNumber,
  startedAt: isNumber,
  transcript: (value) =>
    isList(value) && value.every((entry) => isPlainObject(entry) && isPlainObject(entry['message'])),
  inbox: (value) => isPlainObject(value) && isList(value['waiting']) && isList(value['seen']),
  violations: isPlainObject,
  callsByTool: isPlainObject,
  usage: isPlainObject,
  log: isList,
};
