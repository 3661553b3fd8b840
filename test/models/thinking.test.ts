import fc from 'fast-check';
import { thinkingGate } from '../../src/models/thinking-gate.ts';
import { splitThinking } from '../../src/models/thinking.ts';

describe('thinking in a text', () => {
  test.each<[string, string, string, string | undefined]>([
    ['a block at the start', '<think>plan</think>\n\nHello', 'Hello', 'plan'],
    ['a block with white space before it', ' \n<thinking>plan</thinking>Hello', ' \nHello', 'plan'],
    ['other tags', '<reasoning>a</reasoning><thought>b</thought>Hello', 'Hello', 'a\n\nb'],
    ['letter case and attributes', '<THINK level="2">plan</Think >Hello', 'Hello', 'plan'],
    ['OpenThoughts marks', '<|begin_of_thought|>plan<|end_of_thought|>Hello', 'Hello', 'plan'],
    ['Magistral marks', '[THINK]plan[/THINK]Hello', 'Hello', 'plan'],
    ['Kimi marks', '◁think▷plan◁/think▷Hello', 'Hello', 'plan'],
    ['an empty block', '<think>\n\n</think>\n\nHello', 'Hello', undefined],
    ['code inside thinking', '<think>```js\n<b>\n</think>Hello', 'Hello', '```js\n<b>'],
    ['a block between lines', 'First.\n<think>hm</think>\nSecond.', 'First.\nSecond.', 'hm'],
    ['a block right behind a sentence', 'First.<think>hm</think> Second.', 'First. Second.', 'hm'],
    ['an opening that was never closed', '<think>plan that was cut', '', 'plan that was cut'],
    ['the same at the end', 'Answer.\n<think>\nmore', 'Answer.', 'more'],
    ['a closing that was never opened', 'plan\nmore\n</think>\n\nHello', 'Hello', 'plan\nmore'],
    ['the same right behind a sentence', 'So I greet.</think>Hello', 'Hello', 'So I greet.'],
    ['the same with nothing behind it', 'I call the tool.\n</think>', '', 'I call the tool.'],
  ])('is split off: %s', (_what, text, visible, thinking) => {
    expect(splitThinking(text)).toEqual({ text: visible, ...(thinking !== undefined && { thinking }) });
  });

  test.each([
    'Use the <think> tag, then </think> to close it.',
    'Write `<think>` first.\n`</think>` ends it.',
    'An example:\n```xml\n<think>\nplan\n</think>\n```\nThat is all.',
    '~~~\n<think>\n~~~\nDone',
    'The tag "</think>" closes.',
    'a <b>bold</b> thought about <thinkers>',
    'no marks at all',
    '',
  ])('stays when it is written about: %j', (text) => {
    expect(splitThinking(text)).toEqual({ text });
  });

  test('nothing but marks is lost', () => {
    const piece = fc.constantFrom(
      '<think>',
      '</think>',
      '```\n',
      '`',
      '\n',
      'a',
      'b. ',
      '[THINK]',
      '</thought>',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const letters = (text: string): string =>
          [...text.replace(/<\/?think>|\[THINK\]|<\/thought>/g, '')]
            .filter((char) => /[ab.`]/.test(char))
            .sort()
            .join('');
        const { text, thinking = '' } = splitThinking(pieces.join(''));
        expect(letters(text + thinking)).toBe(letters(pieces.join('')));
      }),
    );
  });

  test.each(['<think>', 'x\n<think> y', '<think></think>', '`<think>', '.</think>'])(
    'a hostile megabyte of %j stays linear',
    (piece) => {
      const start = performance.now();
      splitThinking(piece.repeat(Math.ceil(1_000_000 / piece.length)));
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );
});

describe('streamed text', () => {
  const shownOf = (pieces: string[]): string => {
    let shown = '';
    const show = thinkingGate((delta) => (shown += delta));
    pieces.forEach(show);
    return shown;
  };

  test.each([
    ['<think>plan</think>\nHello <b>', 'Hello <b>'],
    ['<think>a</think> <thinking>b</thinking> Hello', 'Hello'],
    ['◁think▷a◁/think▷Hello', 'Hello'],
    ['[THINK]a[/THINK]Hello', 'Hello'],
    ['<b>Hello</b>', '<b>Hello</b>'],
    ['[1] Hello', '[1] Hello'],
    ['  Hello <think> x', 'Hello <think> x'],
    ['<think>never closed', ''],
  ])('of %j is shown as %j, however it is cut into pieces', (text, shown) => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), text.length];
        expect(shownOf(bounds.slice(1).map((end, index) => text.slice(bounds[index], end)))).toBe(shown);
      }),
    );
  });
});
