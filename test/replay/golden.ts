import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Replayed } from '../../src/replay.ts';
import type { Scenario } from './golden-scenarios.ts';

export const historiesFolder = fileURLToPath(new URL('../histories', import.meta.url));
export const historyFile = (name: string): string => `${historiesFolder}/${name}.json`;

/** The part of an exported history that the tests look at. */
export interface ExportedHistory {
  events: {
    eventId: string;
    eventType: string;
    activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  }[];
}
export const readHistory = async (file: string): Promise<ExportedHistory> =>
  JSON.parse(await readFile(file, 'utf8')) as ExportedHistory;

/**
 * A test that a run recorded once still replays against today's code, in a process that has seen nothing else. The
 * history is `test/histories/<name>.json` and is never edited. `CAPTURE_HISTORY=<name>` (or `all`) plays the scenario
 * first and writes it; a file that exists is not overwritten, since runs that it stands for may still be under way.
 */
export function golden(name: string, scenario: Scenario): void {
  test(`${name} replays in a fresh process`, async () => {
    const file = historyFile(name);
    if (process.env['CAPTURE_HISTORY'] === name || process.env['CAPTURE_HISTORY'] === 'all') {
      if (existsSync(file))
        throw new Error(`${file} exists. Give the scenario another name, or delete the file first.`);
      await mkdir(historiesFolder, { recursive: true });
      const { captureHistory } = await import('./golden-capture.ts');
      await captureHistory(name, scenario, file);
    }
    const history = await readHistory(file);
    const text = decoded(history);
    expect(scenario.holds.filter((part) => !text.includes(part))).toEqual([]);
    expect(await replayInFreshProcess(file)).toEqual({ ok: true, events: history.events.length });
  });
}

/** Replays the history in a file against the suite's bundle of today's workflow code. */
export async function replayInFreshProcess(file: string): Promise<Replayed> {
  const script = fileURLToPath(new URL('./replay-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
  ]);
  const line = out.join('');
  if (line === '') throw new Error(`the replay process said nothing: ${errors.join('')}`);
  return JSON.parse(line) as Replayed;
}

/** The history as text, its payloads decoded. */
function decoded(history: ExportedHistory): string {
  return JSON.stringify(history, (key, value: unknown) =>
    key === 'data' && typeof value === 'string'
      ? JSON.parse(Buffer.from(value, 'base64').toString('utf8') || 'null')
      : value,
  );
}
