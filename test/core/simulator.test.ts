import { brokenCores } from './broken-cores.ts';
import { core, type Core } from './core.ts';
import { simulate } from './simulator.ts';

const runs = Number(process.env.RUNS ?? 2_000);
const seeds = process.env.SEED === undefined ? range(runs) : [Number(process.env.SEED)];

test(`the invariants hold after every event of simulated runs (${seeds.length} from seed ${seeds[0]})`, () => {
  const seen = new Set<string>();
  for (const seed of seeds) for (const what of simulate(seed, core).seen) seen.add(what);
  if (seeds.length < 2_000) return;
  // A simulator that no longer gets everywhere would hold for the wrong reason.
  expect([...seen].sort()).toEqual(everything);
});

test('a seed plays the same run each time', () => {
  expect(simulate(7, core)).toEqual(simulate(7, core));
});

test.each(brokenCores)('a core that %s is found out, with its seed and events', (_, finds, broken) => {
  const found = firstFailure(broken(core));
  expect(found).toMatch(finds);
  expect(found).toMatch(/\n {2}1 \{.*\nseed \d+: SEED=\d+ npm test/s);
});

const everything = [
  ...['open-turn', 'run-calls', 'wait', 'finish'],
  ...['reply', 'finalize-blank', 'finalize-budget', 'finalize-cap', 'finalize-loop'],
  ...['interrupted', 'cancelled', 'time-up'],
  ...['carried', 'left behind', 'asked without its beginning', 'message in parts', 'input in parts'],
  ...[
    'completed',
    'max_iterations',
    'empty_response',
    'length',
    'refusal',
    'content_filter',
    'loop',
    'budget',
    'error',
  ],
].sort();

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

/** Message of the first of 500 runs in which the simulator objects. */
function firstFailure(broken: Core): string {
  for (const seed of range(500)) {
    try {
      simulate(seed, broken);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return 'nothing was found in 500 runs';
}
