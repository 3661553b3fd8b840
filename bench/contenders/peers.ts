import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startWorkerProcess } from '../measured-worker.ts';
import type { Contender } from './contender.ts';
import type { Place } from './place.ts';

const peers = [
  { letter: 'C', name: 'floor', label: 'floor' },
  { letter: 'A', name: 'ai-sdk', label: '@temporalio/ai-sdk' },
  { letter: 'B', name: 'openai-agents', label: '@temporalio/openai-agents' },
];

/** The floor and the two integrations of the peers' folder, with their own Node and packages. */
export const peerContenders = (place: Place, folder: string): Contender[] =>
  peers.map(({ letter, name, label }) => ({
    name,
    label,
    startWorker({ taskQueue = `${name}-${randomUUID()}`, resultChars }) {
      return startWorkerProcess({
        file: join(folder, 'src', 'worker.js'),
        args: [letter, 'chat', taskQueue],
        taskQueue,
        env: { ...place.env, TOOL_BYTES: String(resultChars) },
        execPath: join(folder, 'node_modules', 'node', 'bin', 'node'),
        stops: false,
      });
    },
    start: (temporal, { id, taskQueue, model }) =>
      temporal.workflow.start('agent', { workflowId: id, taskQueue, args: [{ model }] }),
  }));
