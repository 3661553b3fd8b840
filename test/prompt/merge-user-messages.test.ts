import type { Message } from '../../src/contract.ts';
import { mergeUserMessages } from '../../src/prompt/merge-user-messages.ts';
import { user } from './messages.ts';

const image = { type: 'image_url', image_url: { url: 'data:,' } };
const named = (name: string, content: string): Message => ({ role: 'user', name, content });

test('texts are joined by a blank line', () => {
  expect(mergeUserMessages([user('a'), user('b '), user('c')])).toEqual([user('a\n\nb \n\nc')]);
});

test('with parts among them, parts are concatenated', () => {
  const given: Message[] = [user('a'), { role: 'user', content: [image] }, user('b')];
  expect(mergeUserMessages(given)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] },
  ]);
});

test('messages with anything between them stay apart, the same objects', () => {
  const given: Message[] = [user('a'), { role: 'assistant', content: 'b' }, named('ann', 'c')];
  const merged = mergeUserMessages(given);
  expect(merged.every((message, index) => message === given[index])).toBe(true);
  expect(merged.length).toBe(3);
});

test('a name stays when all carry it', () => {
  expect(mergeUserMessages([named('ann', 'a'), named('ann', 'b')])).toEqual([named('ann', 'a\n\nb')]);
  expect(mergeUserMessages([named('ann', 'a'), named('bob', 'b')])).toEqual([user('a\n\nb')]);
});
