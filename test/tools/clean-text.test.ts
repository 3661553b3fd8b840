import { cleanText, plainText } from '../../src/tools/clean-text.ts';

describe('cleaning text', () => {
  test.each([
    ['\u001b[31;1mred\u001b[0m', 'red'],
    ['\u009b2Jcleared', 'cleared'],
    ['\u001b]8;;http://x/\u0007link\u001b]8;;\u001b\\', 'link'],
    ['\u001b]0;title without end', '0;title without end'],
    ['\u001b(Bcharset', 'charset'],
    ['a\0b\u001b', 'ab'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['\ud83d', '\ufffd'],
  ])('%j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  test('an escape can not hide a secret', () => {
    expect(cleanText('sk-abcd\u001b[1mefghijkl\0mnop')).toBe('[redacted]');
  });
});
