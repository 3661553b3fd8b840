import { drained, isBlankContent, received } from '../../src/core/inbox.ts';
import { Drive, started } from './drive.ts';

const empty = { waiting: [], seen: [] };
const image = { type: 'image_url', image_url: { url: 'data:,' } };

test('the same id again is ignored, also when its message was taken long ago', () => {
  const d = started().message('m1').message('m1', { content: 'again' }).round();
  expect(d.lines.at(-1)).toBe('user: m1');
  expect(d.message('m1').round('see').lines.at(-1)).toMatch(/^tool/);
});

test.each([
  ['', true],
  [' \u3000\n', true],
  [[], true],
  [[{ type: 'text', text: ' ' }], true],
  ['x', false],
  [[image], false],
  [[{ type: 'text', text: 'x' }], false],
  [[{ type: 'text', text: ' ' }, image], false],
])('content %j is blank: %s', (content, blank) => {
  expect(isBlankContent(content)).toBe(blank);
  expect(received(empty, { id: 'm1', content }) === empty).toBe(blank);
});

test('a blank message does not use up its id', () => {
  const d = started().message('m1', { content: ' ' }).message('m1').round();
  expect(d.lines.at(-1)).toBe('user: m1');
});

test('messages are taken in arrival order, up to the last one that interrupts', () => {
  const waiting = [
    { id: 'a', content: 'A' },
    { id: 'b', content: 'B', interrupt: true },
    { id: 'c', content: 'C' },
  ];
  expect(drained({ waiting, seen: [] }, 1)).toEqual({
    inbox: { waiting: [waiting[2]], seen: [] },
    message: { role: 'user', content: 'A\n\nB' },
    ids: ['a', 'b'],
  });
});

test('a message that comes while the turn is being opened waits', () => {
  const d = new Drive('question').message('m1').opens();
  expect([d.lines, d.run.inbox.waiting.length]).toEqual([['user: question'], 1]);
});
