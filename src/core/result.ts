import type { RunResult } from '../contract.ts';
import type { Run, TurnEnd } from './run.ts';

/** Bytes of a result's text: what is left of 64 KB for the rest of the result (temporal-facts, sizes). */
const textBytesMax = 56_000;

/** Bytes of a result's error message: a model's refusal can quote a whole request. */
const errorBytesMax = 4_000;

/** The result of a run that ended. Its text is the last turn's; what doesn't fit is cut and stands in the transcript. */
export function resultOf(run: Run, end: TurnEnd): RunResult {
  const text = fitted(end.text, textBytesMax);
  return {
    text,
    stopReason: end.stopReason,
    usage: run.usage,
    iterations: run.turn?.iteration ?? 0,
    turns: run.turn?.n ?? 0,
    ...(end.error === undefined
      ? {}
      : { error: { ...end.error, message: fitted(end.error.message, errorBytesMax) } }),
    ...(text === end.text ? {} : { truncated: true }),
  };
}

/** As many whole code points as fit. A code point is at most 4 bytes, so short texts need no counting. */
function fitted(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text;
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > bytesMax) return text.slice(0, end);
    end += char.length;
  }
  return text;
}
