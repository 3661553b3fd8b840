import { parseArgs } from 'node:util';

export const measurements = ['history', 'throughput', 'long', 'recovery'] as const;
export type Measurement = (typeof measurements)[number];

export interface BenchOptions {
  /** What to measure, in this order. Default: all. */
  what: Measurement[];
  /** Repetitions; the contenders take turns within each. Default: 5, quick: 1. */
  rounds: number;
  /** Sizes small enough for a smoke run. Nothing is written into the repository. */
  quick: boolean;
  /** Sizes of `history` instead of its own: turns, and characters of a tool result. */
  turns?: number[];
  chars?: number[];
  /** Names of the contenders to run. Default: all there are. */
  contenders?: string[];
  /** A Temporal server to use instead of one of its own. */
  address?: string;
  /** Where the JSON goes. Default: `bench/results`, quick: nowhere. */
  results?: string;
  /** Has turnloop's workers write a CPU profile into this folder when they end. */
  profile?: string;
}

export const usage = `npm run bench -- [${measurements.join('] [')}] [options]
  --rounds <n>            repetitions, default 5
  --quick                 a smoke run: small sizes, one round, nothing written
  --turns <n,n>           of history instead of 5,20,50,100,200; with it nothing is written
  --chars <n,n>           of each tool result, instead of 200,2000; with it nothing is written
  --contenders <a,b>      only these: turnloop, floor, ai-sdk, openai-agents
  --address <host:port>   a Temporal server that runs already; default: one of its own, in memory
  --results <folder>      where the JSON goes, default bench/results
  --profile <folder>      CPU profiles of turnloop's workers
PEERS_DIR names the folder with the other integrations, default ../shared/peers.`;

/** @throws TypeError that names the argument and what it may be */
export function readOptions(args: string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      turns: { type: 'string' },
      chars: { type: 'string' },
      contenders: { type: 'string' },
      address: { type: 'string' },
      results: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !measurements.includes(name as Measurement));
  if (unknown !== undefined)
    throw new TypeError(`"${unknown}" is no measurement: give some of ${measurements.join(', ')}`);
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new TypeError(`--rounds is ${values.rounds}: give a whole number from 1 on`);
  const { address, results, profile } = values;
  const turns = numbers('--turns', values.turns);
  const chars = numbers('--chars', values.chars);
  return {
    what: measurements.filter((name) => positionals.length === 0 || positionals.includes(name)),
    rounds,
    quick: values.quick,
    ...(turns === undefined ? {} : { turns }),
    ...(chars === undefined ? {} : { chars }),
    ...(values.contenders === undefined ? {} : { contenders: values.contenders.split(',') }),
    ...(address === undefined ? {} : { address }),
    ...(results === undefined ? {} : { results }),
    ...(profile === undefined ? {} : { profile }),
  };
}

function numbers(option: string, given: string | undefined): number[] | undefined {
  const list = given?.split(',').map(Number);
  if (list?.every((n) => Number.isInteger(n) && n > 0) ?? true) return list;
  throw new TypeError(`${option} is ${given}: give whole numbers from 1 on, with commas between`);
}
