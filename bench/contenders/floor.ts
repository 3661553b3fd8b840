import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startWorkerProcess } from '../measured-worker.ts';
import type { Contender } from './contender.ts';
import type { Place } from './place.ts';

/** The floor of our own, for a machine without the peers' folder, which brings one. */
export async function floor(place: Place): Promise<Contender> {
  const workflowsPath = fileURLToPath(new URL('../floor-workflow.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const codePath = join(place.folder, 'floor.js');
  await writeFile(codePath, code);
  return {
    name: 'floor',
    label: 'floor',
    startWorker({ taskQueue = `floor-${randomUUID()}`, resultChars }) {
      return startWorkerProcess({
        file: fileURLToPath(new URL('../floor-process.ts', import.meta.url)),
        args: [taskQueue, codePath],
        taskQueue,
        env: { ...place.env, TOOL_BYTES: String(resultChars) },
        stops: true,
      });
    },
    start: (temporal, { id, taskQueue, model }) =>
      temporal.workflow.start('agent', { workflowId: id, taskQueue, args: [{ model }] }),
  };
}
