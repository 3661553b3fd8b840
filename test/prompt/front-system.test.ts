import type { Content, Message } from '../../src/contract.ts';
import { frontSystem } from '../../src/prompt/front-system.ts';
import { user } from './messages.ts';

const system = (content: Content, name?: string): Message => ({
  role: 'system',
  content,
  ...(name === undefined ? {} : { name }),
});
const cached = { type: 'text' as const, text: 'cached', cache_control: { type: 'ephemeral' } };

test('the newest instructions come first, then the others in their order, joined by blank lines', () => {
  const given = [
    system('first other'),
    system('old', 'instructions'),
    user('hi'),
    system('second other', 'house rules'),
    system('new', 'instructions'),
  ];
  expect(frontSystem(given)).toEqual([system('new\n\nfirst other\n\nsecond other'), user('hi')]);
});

test('a provider that takes many gets them one by one, at the front', () => {
  const given = [system('other'), user('hi'), system('old', 'instructions'), system('new', 'instructions')];
  expect(frontSystem(given, 'many')).toEqual([system('new'), system('other'), user('hi')]);
});

test('lists of plain text are joined as text', () => {
  const list = [
    { type: 'text' as const, text: 'b' },
    { type: 'text' as const, text: 'c' },
  ];
  expect(frontSystem([system('a'), system(list)])).toEqual([system('a\n\nb\n\nc')]);
});

test('with a part that is more than text the joined message is a list, and the part stays as it is', () => {
  expect(frontSystem([system('a'), system([cached])])).toEqual([
    system([{ type: 'text', text: 'a' }, cached]),
  ]);
});

test('a single system message is moved to the front, the same object', () => {
  const only = system([cached]);
  expect(frontSystem([user('hi'), only])[0]).toBe(only);
});

test('without any there is none', () => {
  expect(frontSystem([user('hi')])).toEqual([user('hi')]);
});
