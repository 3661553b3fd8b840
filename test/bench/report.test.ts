import { inTurns } from '../../bench/measurements/in-turns.ts';
import { readOptions } from '../../bench/options.ts';
import { growthOfGrowth } from '../../bench/report/growth.ts';
import { spreadOf } from '../../bench/report/median.ts';
import { between } from '../../bench/report/write.ts';

describe('figures', () => {
  test('a spread is median, smallest and largest, without what is missing', () => {
    expect(spreadOf([3, 1, undefined, 2, 10])).toEqual({ median: 2.5, min: 1, max: 10 });
    expect(spreadOf([undefined])).toBeUndefined();
  });

  test('on a straight line growth stays as it is, on a parabola it grows', () => {
    const at = (y: (x: number) => number) => [5, 20, 100, 200].map((x) => ({ x, y: y(x) }));
    expect(growthOfGrowth(at((x) => 700 + 3 * x))).toBeCloseTo(1);
    expect(growthOfGrowth(at((x) => 700 + x ** 2))).toBeCloseTo(300 / 25);
  });

  test('each round begins with another contender', () => {
    expect([1, 2, 3, 4].map((round) => inTurns(['a', 'b', 'c'], round)[0])).toEqual(['a', 'b', 'c', 'a']);
    expect(inTurns(['a', 'b', 'c'], 2)).toEqual(['b', 'c', 'a']);
  });
});

describe('the page of figures', () => {
  const page = 'before <!-- bench:long -->\nold\n<!-- /bench:long --> after';

  test('only what stands between the markers is replaced', () => {
    const once = between(page, 'long', 'new');
    expect(once).toBe('before <!-- bench:long -->\n\nnew\n\n<!-- /bench:long --> after');
    expect(between(once, 'long', 'new')).toBe(once);
  });

  test('missing markers are named', () => {
    expect(() => between(page, 'history', 'new')).toThrow('<!-- bench:history -->');
  });
});

describe('options', () => {
  test('nothing given means everything, five rounds', () => {
    expect(readOptions([])).toEqual({
      what: ['history', 'throughput', 'long', 'recovery'],
      rounds: 5,
      quick: false,
    });
  });

  test.each([
    [['speed'], '"speed" is no measurement'],
    [['--rounds', '0'], '--rounds is 0'],
    [['--turns', '5,x'], '--turns is 5,x'],
  ])('%j is refused', (args, why) => {
    expect(() => readOptions(args)).toThrow(why);
  });
});
