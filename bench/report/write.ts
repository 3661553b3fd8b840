import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measurement } from '../options.ts';
import type { Check } from './checks.ts';
import { isMet } from './checks.ts';
import type { Machine } from './machine.ts';

export interface Results {
  what: Measurement;
  /** ISO date and time of the end. */
  at: string;
  rounds: number;
  quick: boolean;
  machine: Machine;
  checks: Check[];
  rows: object[];
}

/** Where the figures of the documentation come from. */
export const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));
const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

export async function writeResults(folder: string, results: Results): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${results.at.slice(0, 10)}-${results.what}.json`);
  const checks = results.checks.map((check) => ({ ...check, met: isMet(check) }));
  await writeFile(file, `${JSON.stringify({ ...results, checks }, undefined, 2)}\n`);
  return file;
}

/** Replaces what stands between the markers of a measurement in the documentation's page. */
export async function writeTables({ what, at, rounds, machine }: Results, tables: string[]): Promise<void> {
  const origin =
    `${at.slice(0, 10)}, ${rounds} rounds, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB, Node ${machine.node}; ` +
    `others kept ${machine.busyCores.toFixed(1)} cores busy before.`;
  const text = await readFile(page, 'utf8');
  await writeFile(page, between(text, what, [origin, ...tables].join('\n\n')));
}

/** @throws Error when the text has no such markers */
export function between(text: string, what: string, content: string): string {
  const [begin, end] = [`<!-- bench:${what} -->`, `<!-- /bench:${what} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md has no ${begin} … ${end} to put the table between`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}
