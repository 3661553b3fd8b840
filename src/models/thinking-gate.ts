import { markCharsMax, thinkingMarks } from './thinking-marks.ts';

/**
 * Lets streamed text through, except a block of thinking at its start, which is shown elsewhere once the reply is whole.
 * Only that place is judged while text still flows: later blocks are rare, and text that was shown can't be taken back.
 */
export function thinkingGate(show: (delta: string) => void): (delta: string) => void {
  let held = '';
  let inside: number | undefined;
  let open = false;

  return (delta) => {
    if (open) return show(delta);
    held += delta;
    for (;;) {
      if (inside === undefined) {
        held = held.trimStart();
        const mark = thinkingMarks(held)[0];
        if (mark?.start === 0 && mark.opens) {
          inside = mark.pair;
          held = held.slice(mark.end);
        } else if (mayBecomeMark(held)) {
          return;
        } else {
          open = true;
          return show(held);
        }
      }
      const close = thinkingMarks(held).find((mark) => !mark.opens && mark.pair === inside);
      if (!close) {
        // Only the end can still become a part of the closing mark.
        held = held.slice(-markCharsMax);
        return;
      }
      held = held.slice(close.end);
      inside = undefined;
    }
  };
}

function mayBecomeMark(text: string): boolean {
  return (
    text === '' ||
    (text.length < markCharsMax && /^(<\|?[a-z_:]*|<[a-z:]+\s[^<>\n]*|\[[a-z]*|◁[a-z]*)$/iu.test(text))
  );
}
