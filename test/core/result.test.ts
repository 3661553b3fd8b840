import { resultOf } from '../../src/core/result.ts';
import { started } from './drive.ts';

const bytes = (text: string) => Buffer.byteLength(text);

test('a result has text, stop reason, usage, iterations and turns of the run', () => {
  const d = started().round().replies('done');
  expect(resultOf(d.run, d.end)).toEqual({
    text: 'done',
    stopReason: 'completed',
    usage: d.run.usage,
    iterations: 2,
    turns: 1,
  });
});

test.each(['x', 'é', '語', '😀', '\u0001'])(
  'a text of many %j is cut to whole code points within 64 KB and says so',
  (char) => {
    const { run } = started();
    const result = resultOf(run, { text: char.repeat(70_000), stopReason: 'completed' });
    expect(result.truncated).toBe(true);
    expect(result.text.isWellFormed()).toBe(true);
    expect(bytes(result.text)).toBeGreaterThan(55_990);
    expect(bytes(result.text)).toBeLessThanOrEqual(56_000);
  },
);

test('a text that fits is left whole', () => {
  const result = resultOf(started().run, { text: 'x'.repeat(56_000), stopReason: 'completed' });
  expect([result.text.length, result.truncated]).toEqual([56_000, undefined]);
});

test('a long error message is cut to whole code points', () => {
  const error = { type: 'model_refused', message: `x${'😀'.repeat(3_000)}` };
  const result = resultOf(started().run, { text: '', stopReason: 'error', error });
  expect(result.error?.message.isWellFormed()).toBe(true);
  expect(bytes(result.error?.message ?? '')).toBeLessThanOrEqual(4_000);
});
