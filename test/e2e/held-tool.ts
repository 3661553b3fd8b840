import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';

/** Calls in hand now, by their `id`: a test waits until one arrives here, and says when it ends. */
export const inHand = new Map<string, { signal: AbortSignal; end(): void }>();

/** Runs until the test ends it, or until its signal fires. */
export const hold = defineTool({
  name: 'hold',
  description: 'Runs until it is told to end.',
  parameters: z.object({ id: z.string() }),
  concurrencySafe: true,
  execute: ({ id }, { signal }) =>
    new Promise<string>((resolve, reject) => {
      inHand.set(id, { signal, end: () => resolve(`held ${id}`) });
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    }),
});

/** Runs until the test ends it, whatever its signal says. Not safe: the calls of a reply run one after the other. */
export const deaf = defineTool({
  name: 'deaf',
  description: 'Runs on when it is told to stop.',
  parameters: z.object({ id: z.string() }),
  execute: ({ id }, { signal }) =>
    new Promise<string>((resolve) => inHand.set(id, { signal, end: () => resolve(`ended ${id}`) })),
});

/** Resolves when the signal of a call in hand fires. */
export const firedOf = (id: string): Promise<void> =>
  new Promise((resolve) => inHand.get(id)?.signal.addEventListener('abort', () => resolve()));
