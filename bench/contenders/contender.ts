import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Limits } from '../../src/contract.ts';
import type { MeasuredWorker } from '../measured-worker.ts';

export interface WorkerSetup {
  /** Default: a new one. */
  taskQueue?: string;
  /** Characters of each tool result. */
  resultChars: number;
  /** How long the tool takes; only turnloop's does. */
  toolMs?: number;
}

export interface RunSetup {
  id: string;
  taskQueue: string;
  /** Name of the scripted model, which holds the script. */
  model: string;
  /** Only turnloop has limits. */
  limits?: Partial<Limits>;
}

/** An implementation of the same agent: N turns of one model request and one call of `lookup`, then an answer. */
export interface Contender {
  name: string;
  /** What stands in tables. */
  label: string;
  startWorker(setup: WorkerSetup): Promise<MeasuredWorker>;
  start(temporal: Client, run: RunSetup): Promise<WorkflowHandle>;
}
