import type { Message } from '../../src/contract.ts';

/** A start list of 1.6 MB: more than goes along when a run continues as a new one. */
export const largeStart: Message[] = Array.from({ length: 9 }, (_, n) => ({
  role: n % 2 === 0 ? 'user' : 'assistant',
  content: `${n} said `.repeat(25_000),
}));
