import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentClient } from '../../src/client.ts';
import { worker } from '../built.ts';
import { startWorkerProcess } from '../measured-worker.ts';
import type { Contender } from './contender.ts';
import type { Place } from './place.ts';

/** turnloop, with the store it has by default: files, and memory in front. */
export async function turnloop(place: Place, profile?: string): Promise<Contender> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: worker.workflowsPath,
    logger: new DefaultLogger('WARN'),
  });
  const codePath = join(place.folder, 'turnloop.js');
  await writeFile(codePath, code);
  return {
    name: 'turnloop',
    label: 'turnloop',
    startWorker({ taskQueue = `turnloop-${randomUUID()}`, resultChars, toolMs = 0 }) {
      return startWorkerProcess({
        file: fileURLToPath(new URL('../turnloop-process.ts', import.meta.url)),
        args: [taskQueue, join(place.folder, `store-${taskQueue}`), codePath],
        taskQueue,
        env: { ...place.env, TOOL_BYTES: String(resultChars), TOOL_MS: String(toolMs) },
        execArgv: [
          '--expose-gc',
          ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
        ],
        stops: true,
      });
    },
    async start(temporal, { id, taskQueue, model, limits }) {
      const options = { id, taskQueue, model, ...(limits === undefined ? {} : { limits }) };
      return (await new AgentClient(temporal).start('bench', 'Look everything up.', options)).temporal;
    },
  };
}
