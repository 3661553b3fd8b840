import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAlive, processCommand } from './process-command.ts';
import { ServerError } from './server-error.ts';
import { until } from './until.ts';

/** Who serves a database file: written beside it, as `<file>.server.json`. */
export interface ServerRecord {
  /** Process id of the turnloop process that started the server. */
  owner: number;
  /** Absent while the server starts. */
  running?: { pid: number; address: string; uiUrl: string };
}

export type Claim =
  | {
      kind: 'free';
      announce(running: NonNullable<ServerRecord['running']>): Promise<void>;
      release(): Promise<void>;
    }
  | {
      kind: 'running';
      running: NonNullable<ServerRecord['running']>;
      /** The process that started it is gone without having ended it: whoever finds it may own it. */
      orphan: boolean;
      adopt(): Promise<void>;
      release(): Promise<void>;
    };

/** How long another process may take to start its server, in ms. */
const startMsMax = 60_000;

/**
 * SQLite takes one server a file. The first caller gets it; others get the server that runs on it. What a process left
 * behind that was killed is recognized by the command line of the recorded process id, since ids are reused.
 */
export async function claimDatabase(dbFile: string, signal?: AbortSignal): Promise<Claim> {
  const file = `${dbFile}.server.json`;
  const release = () => rm(file, { force: true });
  const write = async (record: ServerRecord) => {
    await writeFile(`${file}.${process.pid}`, JSON.stringify(record));
    await rename(`${file}.${process.pid}`, file);
  };
  const look = async (): Promise<Claim | undefined> => {
    if (await create(file)) {
      return { kind: 'free', announce: (running) => write({ owner: process.pid, running }), release };
    }
    const record = await read(file);
    // Gone, or not yet written: look again.
    if (record === undefined) return undefined;
    const running = record.running;
    if (running !== undefined && (await processCommand(running.pid))?.includes(dbFile)) {
      const orphan = !isAlive(record.owner);
      return {
        kind: 'running',
        running,
        orphan,
        adopt: () => write({ owner: process.pid, running }),
        release,
      };
    }
    // A record whose server is gone, or whose owner died while it started, is a leftover.
    if (running !== undefined || !isAlive(record.owner)) await release();
    return undefined;
  };
  const claim = await until(look, { timeoutMs: startMsMax, signal });
  if (claim !== undefined) return claim;
  throw new ServerError(
    `Another process has been starting a Temporal server on ${dbFile} for over ${startMsMax / 1000} s (see ${file}). ` +
      'Wait for it or end it; if there is none, delete that file.',
  );
}

async function create(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(JSON.stringify({ owner: process.pid } satisfies ServerRecord));
    await handle.close();
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

async function read(file: string): Promise<ServerRecord | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ServerRecord;
  } catch {
    // Being written by its creator at this moment, or already removed. A record that stays unreadable ends in the time-out
    // of the caller, whose message names the file.
    return undefined;
  }
}
