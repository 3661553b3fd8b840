import { estimateTokens } from '../../src/text/estimate-tokens.ts';

test('a short text has about the tokens its words make', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('x')).toBe(1);
  expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBe(10);
});

test('names of control tokens are text', () => {
  expect(estimateTokens('<|endoftext|><|im_start|>')).toBeGreaterThan(2);
});

test.each(['a', '模型调用的结果', 'word '])(
  'a megabyte of "%s" is sampled, so it takes no minutes',
  (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const start = performance.now();
    const tokens = estimateTokens(text);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(tokens).toBeGreaterThan(text.length / 10);
  },
);
