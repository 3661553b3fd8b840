import fc from 'fast-check';
import type { Call } from '../../src/core/run.ts';
import { inOrder } from '../../src/workflows/in-order.ts';

export interface Round {
  /** `waitsFor`: earlier calls; `answered`: it has its outcome already, as one that the plan refused. */
  calls: { waitsFor: number[]; answered: boolean }[];
  max: number;
  /** Which of the calls that run ends next. */
  ends: number[];
  /** In one moment as many calls end. */
  together: number;
  /** After as many ends the round is stopped. */
  stopAfter: number;
}

export const rounds: fc.Arbitrary<Round> = fc.nat({ max: 10 }).chain((n) => {
  const indexes = [...Array(n).keys()];
  return fc.record({
    calls: fc.tuple(
      ...indexes.map((index) =>
        fc.record({ waitsFor: fc.subarray(indexes.slice(0, index)), answered: fc.boolean() }),
      ),
    ),
    max: fc.integer({ min: 1, max: 4 }),
    ends: fc.array(fc.nat(), { minLength: n, maxLength: n }),
    together: fc.integer({ min: 1, max: 2 }),
    stopAfter: fc.option(fc.nat({ max: 4 }), { nil: Infinity }),
  });
});

type What = 'turn' | 'ran' | 'ended';

export interface Played {
  /** In the order in which it happened: a call's turn came, it ran, it ended. */
  log: { what: What; index: number; moment: number }[];
  /** How long the log was, and whether all was over, whenever nothing moved any more. */
  quiet: { at: number; isOver: boolean }[];
}

/** Plays a round until nothing runs any more. */
export async function played({ calls, max, ends, together, stopAfter }: Round): Promise<Played> {
  const log: Played['log'] = [];
  const quiet: Played['quiet'] = [];
  const running = new Map<number, () => void>();
  let count = 0;
  let moment = 0;
  let isOver = false;
  const note = (what: What, index: number) => log.push({ what, index, moment });
  const over = inOrder(
    calls.map((_, index) => ({ index }) as Call),
    calls.map(({ waitsFor }) => waitsFor),
    max,
    ({ index }) => {
      note('turn', index);
      if (calls[index]!.answered || count >= stopAfter) {
        note('ended', index);
        return undefined;
      }
      note('ran', index);
      return new Promise((resolve) => running.set(index, resolve));
    },
  ).then(() => {
    isOver = true;
  });
  const look = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    quiet.push({ at: log.length, isOver });
    moment++;
  };
  await look();
  for (const pick of ends) {
    const [index, end] = [...running][pick % running.size] ?? [];
    if (index === undefined) break;
    count++;
    note('ended', index);
    running.delete(index);
    end!();
    if (count % together === 0 || running.size === 0) await look();
  }
  await look();
  if (isOver) await over;
  return { log, quiet };
}

export const indexesOf = (log: Played['log'], what: What): number[] =>
  log.filter((event) => event.what === what).map(({ index }) => index);

/** Where in the log the last of the calls ended that a call waits for; -1 when it waits for none, undefined while one is open. */
export function readyAt({ calls }: Round, log: Played['log'], index: number): number | undefined {
  const ends = calls[index]!.waitsFor.map((before) =>
    log.findIndex((event) => event.what === 'ended' && event.index === before),
  );
  return ends.includes(-1) ? undefined : Math.max(-1, ...ends);
}
