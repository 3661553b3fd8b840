import fc from 'fast-check';
import type { Call } from '../../src/core/run.ts';
import { inOrder } from '../../src/workflows/in-order.ts';
import { propertySeed } from '../setup/property-seed.ts';
import { indexesOf, played, readyAt, rounds, type Played, type Round } from './rounds.ts';

/** Checks a fact of many rounds. */
const always = (fact: (round: Round, played: Played) => void): Promise<void> =>
  fc.assert(
    fc.asyncProperty(rounds, async (round) => fact(round, await played(round))),
    { numRuns: 500, seed: propertySeed },
  );

describe('the calls of a round', () => {
  test('have their turn once each, and then it is over, not before', () =>
    always(({ calls }, { log, quiet }) => {
      const all = [...calls.keys()];
      expect(indexesOf(log, 'turn').toSorted((a, b) => a - b)).toEqual(all);
      for (const { at, isOver } of quiet)
        expect(isOver).toBe(indexesOf(log.slice(0, at), 'ended').length === calls.length);
      expect(quiet.at(-1)?.isOver).toBe(true);
    }));

  test('never have it before those that they wait for have ended', () =>
    always((round, { log }) => {
      for (const [at, { what, index }] of log.entries())
        if (what === 'turn') expect(readyAt(round, log.slice(0, at), index)).toBeDefined();
    }));

  test('run at most as many at once as there are places', () =>
    always(({ max, calls }, { log }) => {
      let running = 0;
      for (const { what, index } of log) {
        if (what === 'ran') running++;
        if (what === 'ended' && indexesOf(log, 'ran').includes(index)) running--;
        expect(running).toBeLessThanOrEqual(Math.min(max, calls.length));
      }
    }));

  test('are served in the order in which nothing kept them any more, then in that of the reply', () =>
    always((round, { log }) => {
      const turns = indexesOf(log, 'turn');
      const ready = turns.map((index) => readyAt(round, log, index)!);
      const moments = ready.map((at) => log[at]?.moment ?? -1);
      for (let i = 1; i < turns.length; i++) {
        expect(moments[i]).toBeGreaterThanOrEqual(moments[i - 1]!);
        // Which of two ends in one moment is noticed first is left open.
        if (round.together > 1) continue;
        expect(ready[i]).toBeGreaterThanOrEqual(ready[i - 1]!);
        if (ready[i] === ready[i - 1]) expect(turns[i]).toBeGreaterThan(turns[i - 1]!);
      }
    }));

  test('never wait while a place is free', () =>
    always((round, { log, quiet }) => {
      for (const { at } of quiet) {
        const before = log.slice(0, at);
        const ended = indexesOf(before, 'ended');
        const running = indexesOf(before, 'ran').filter((index) => !ended.includes(index));
        if (running.length === round.max) continue;
        const turns = indexesOf(before, 'turn');
        const waiting = [...round.calls.keys()].filter((index) => !turns.includes(index));
        expect(waiting.filter((index) => readyAt(round, before, index) !== undefined)).toEqual([]);
      }
    }));

  test('are over, behind a stop, as soon as those that run have ended: none that waits holds it up', () =>
    always(({ stopAfter }, { log, quiet }) => {
      for (const { at, isOver } of quiet) {
        const ran = indexesOf(log.slice(0, at), 'ran');
        const ended = indexesOf(log.slice(0, at), 'ended').filter((index) => ran.includes(index));
        if (ended.length >= stopAfter) expect(isOver).toBe(ended.length === ran.length);
      }
    }));
});

test('a round of many thousand calls that need not run is over at once', async () => {
  const calls = [...Array(20_000).keys()].map((index) => ({ index }) as Call);
  let turns = 0;
  await inOrder(
    calls,
    calls.map(() => []),
    1,
    () => void turns++,
  );
  expect(turns).toBe(20_000);
});

test('a call whose start is a defect ends the round with it', async () => {
  const calls = [0, 1].map((index) => ({ index }) as Call);
  const start = ({ index }: Call) =>
    index === 0 ? Promise.resolve() : Promise.reject(new Error('a defect'));
  await expect(inOrder(calls, [[], [0]], 2, start)).rejects.toThrow('a defect');
});
