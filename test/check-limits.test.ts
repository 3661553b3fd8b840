import { checkLimits } from '../src/check-limits.ts';
import { defaultLimits } from '../src/limits.ts';

describe('checking limits', () => {
  test('the defaults pass, and what is undefined is absent', () => {
    expect(checkLimits(defaultLimits, 'limits')).toEqual(defaultLimits);
    expect(checkLimits({ maxTokens: undefined, maxIterations: 2 }, 'limits')).toEqual({ maxIterations: 2 });
  });

  test.each([
    [{ maxIterations: 0 }, /^limits: maxIterations is 0. Needed: a whole number from 1/],
    [{ maxIterations: '5' }, /maxIterations is "5"/],
    [{ maxIterations: Number.NaN }, /maxIterations is NaN/],
    [{ maxEmptyRetries: -1 }, /maxEmptyRetries is -1. Needed: a whole number from 0/],
    [{ toolTimeoutMs: 2 ** 31 }, /toolTimeoutMs is 2147483648/],
    [{ finalizeAtCap: 1 }, /finalizeAtCap is 1. Needed: true or false/],
    [{ maxCostUsd: 0 }, /maxCostUsd is 0. Needed: a number above 0/],
    [{ toString: 1 }, /unknown limit "toString"/],
    [{ modelcalltimeout: 1 }, /Did you mean "modelCallTimeoutMs"\?/],
    [{ maxIterations: 0, maxParallel: 0 }, /maxIterations is 0.*maxParallel is 0/],
    [[], /limits is \[\]/],
    [null, /limits is null/],
  ])('%j is refused', (limits, message) => {
    expect(() => checkLimits(limits, 'limits')).toThrow(message);
  });

  test('none is a valid number of retries', () => {
    expect(checkLimits({ maxEmptyRetries: 0, modelOutageWaitMs: 0 }, 'limits')).toEqual({
      maxEmptyRetries: 0,
      modelOutageWaitMs: 0,
    });
  });
});
