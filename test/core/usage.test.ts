import { addUsage, noUsage } from '../../src/core/usage.ts';

test('usages add up field by field; one estimate marks the sum', () => {
  const a = {
    requests: 1,
    failedRequests: 2,
    promptTokens: 3,
    completionTokens: 4,
    cachedTokens: 5,
    reasoningTokens: 6,
    estimated: false,
  };
  const b = { ...a, estimated: true };
  expect(addUsage(a, b)).toEqual({
    requests: 2,
    failedRequests: 4,
    promptTokens: 6,
    completionTokens: 8,
    cachedTokens: 10,
    reasoningTokens: 12,
    estimated: true,
  });
});

test.each([
  [undefined, undefined, undefined],
  [1, undefined, 1],
  [undefined, 2, 2],
  [1, 2, 3],
])('costs %s and %s make %s', (a, b, sum) => {
  const withCost = (costUsd?: number) => (costUsd === undefined ? noUsage : { ...noUsage, costUsd });
  expect(addUsage(withCost(a), withCost(b)).costUsd).toBe(sum);
});
