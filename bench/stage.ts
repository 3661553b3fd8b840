import type { Client } from '@temporalio/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTemporal } from '../src/client/connect.ts';
import { startServer } from '../src/server/start-server.ts';
import type { Contender } from './contenders/contender.ts';
import { floor } from './contenders/floor.ts';
import { peerContenders } from './contenders/peers.ts';
import { peersFolder } from './contenders/peers-folder.ts';
import type { Place } from './contenders/place.ts';
import { turnloop } from './contenders/turnloop.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import type { BenchOptions } from './options.ts';

/** Everything that is measured on: one server, one model, the contenders. */
export interface Stage {
  temporal: Client;
  model: ModelServer;
  contenders: Contender[];
  log(line: string): void;
}

/** Sets the stage and takes it down behind `work`, whatever happens. */
export async function onStage<T>(options: BenchOptions, work: (stage: Stage) => Promise<T>): Promise<T> {
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const folder = await mkdtemp(join(tmpdir(), 'turnloop-bench-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const peers = wantsPeers(options) ? await peersFolder(process.env, log) : undefined;
    if (peers === undefined) log('without the peers: turnloop and a floor of our own');
    const model = await startModelServer(peers);
    undo.push(() => model.stop());
    const address = options.address ?? (await ownServer(log, undo));
    const temporal = await connectTemporal({ address });
    undo.push(() => temporal.connection.close());
    const place: Place = {
      folder,
      env: { TEMPORAL_ADDRESS: address, MODEL_PORT: String(model.port), MODEL_URL: model.baseURL },
    };
    const all = [
      await turnloop(place, options.profile),
      ...(peers === undefined ? [await floor(place)] : peerContenders(place, peers)),
    ];
    const contenders = chosen(all, options.contenders);
    // A peer's first worker bundles its workflows: nobody's figures shall hold that.
    for (const each of peers === undefined ? [] : contenders)
      await (await each.startWorker({ resultChars: 1 })).stop();
    return await work({ temporal, model, contenders, log });
  } finally {
    for (const each of undo.reverse()) await each();
  }
}

/** A smoke run takes them only when it is told to: they have to be installed first. */
const wantsPeers = ({ quick, contenders }: BenchOptions): boolean =>
  contenders === undefined ? !quick : contenders.some((name) => name !== 'turnloop' && name !== 'floor');

async function ownServer(log: Stage['log'], undo: (() => Promise<unknown>)[]): Promise<string> {
  const server = await startServer({ log, dbFile: false, useConfigured: false });
  undo.push(() => server.stop());
  return server.address;
}

function chosen(all: Contender[], names: string[] | undefined): Contender[] {
  if (names === undefined) return all;
  const unknown = names.find((name) => !all.some((contender) => contender.name === name));
  if (unknown === undefined) return all.filter(({ name }) => names.includes(name));
  throw new TypeError(`there is no contender "${unknown}" here: ${all.map(({ name }) => name).join(', ')}`);
}
