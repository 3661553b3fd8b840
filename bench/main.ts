import { measureHistory } from './measurements/history.ts';
import { measureLong } from './measurements/long.ts';
import { measureRecovery } from './measurements/recovery.ts';
import { measureThroughput } from './measurements/throughput.ts';
import { readOptions, usage, type BenchOptions, type Measurement } from './options.ts';
import {
  historyChecks,
  isMet,
  longChecks,
  recoveryChecks,
  throughputChecks,
  type Check,
} from './report/checks.ts';
import { machine } from './report/machine.ts';
import { checksTable, historyTable, longTable, recoveryTable, throughputTable } from './report/tables.ts';
import { resultsFolder, writeResults, writeTables } from './report/write.ts';
import { onStage, type Stage } from './stage.ts';

interface Measured {
  rows: object[];
  checks: Check[];
  table: string;
}

const measure: { [what in Measurement]: (stage: Stage, options: BenchOptions) => Promise<Measured> } = {
  async history(...args) {
    const rows = await measureHistory(...args);
    return { rows, checks: historyChecks(rows), table: historyTable(rows) };
  },
  async throughput(...args) {
    const rows = await measureThroughput(...args);
    return { rows, checks: throughputChecks(rows), table: throughputTable(rows) };
  },
  async long(...args) {
    const rows = await measureLong(...args);
    return { rows, checks: longChecks(rows), table: longTable(rows) };
  },
  async recovery(...args) {
    const rows = await measureRecovery(...args);
    return { rows, checks: recoveryChecks(rows), table: recoveryTable(rows) };
  },
};

/** Measures what was asked for; resolves to whether every hard bound is met. */
async function bench(options: BenchOptions): Promise<boolean> {
  const { rounds, quick } = options;
  const here = await machine();
  return await onStage(options, async (stage) => {
    let met = true;
    for (const what of options.what) {
      const { rows, checks, table } = await measure[what](stage, options);
      process.stdout.write(`\n## ${what}\n\n${table}\n\n${checksTable(checks)}\n`);
      met &&= checks.every((check) => !check.hard || isMet(check));
      const results = { what, at: new Date().toISOString(), rounds, quick, machine: here, checks, rows };
      const folder = options.results ?? (isPartial(options) ? undefined : resultsFolder);
      if (folder !== undefined) stage.log(`results: ${await writeResults(folder, results)}`);
      if (folder === resultsFolder) await writeTables(results, [table, checksTable(checks)]);
    }
    return met;
  });
}

/** Figures of less than the whole don't go into the documentation. */
const isPartial = ({ quick, turns, chars, contenders }: BenchOptions): boolean =>
  quick || turns !== undefined || chars !== undefined || contenders !== undefined;

try {
  const options = readOptions(process.argv.slice(2));
  process.exitCode = (await bench(options)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).stack ?? String(error)}\n\n${usage}\n`);
  process.exitCode = 2;
}
