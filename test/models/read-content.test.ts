import { readContent, reasoningText } from '../../src/models/read-content.ts';

test('text parts become one text, thinking parts are split off', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'plan' }] },
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
  ];
  expect(readContent(content)).toEqual({ content: 'Hello', text: 'Hello', thinking: 'plan' });
});

test('parts of another kind stay behind the text', () => {
  const image = { type: 'image_url', image_url: { url: 'x' } };
  expect(readContent([image, { type: 'text', text: 'see' }]).content).toEqual([
    { type: 'text', text: 'see' },
    image,
  ]);
});

test.each([null, undefined, '', [], 5])('%j is no content', (content) => {
  expect(readContent(content)).toEqual({ content: null, text: '' });
});

test('of the reasoning fields the first that says something is shown', () => {
  expect(reasoningText({ reasoning_content: '', reasoning: 'r', reasoning_details: [{ text: 'd' }] })).toBe(
    'r',
  );
  expect(reasoningText({ reasoning_details: [{ text: 'a' }, { summary: 'b' }, null] })).toBe('ab');
  expect(reasoningText({})).toBe('');
});
