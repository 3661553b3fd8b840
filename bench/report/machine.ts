import { cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** What figures depend on. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  node: string;
  /** Cores that others kept busy before the first measurement. */
  busyCores: number;
}

const lookMs = 2_000;

export async function machine(): Promise<Machine> {
  const all = cpus();
  return {
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    busyCores: await busyCores(),
  };
}

async function busyCores(): Promise<number> {
  const idleMs = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const before = idleMs();
  const began = performance.now();
  await sleep(lookMs);
  return Math.max(0, cpus().length - (idleMs() - before) / (performance.now() - began));
}
