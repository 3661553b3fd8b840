import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { RetryableToolError } from '../../src/tools/errors.ts';

/** The call of `hold` that is running, and how many there were. */
export const held = { count: 0, release: (): void => {} };
let failures = 0;

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks a key up and returns its value.',
  parameters: z.object({ key: z.string() }),
  readOnly: true,
  execute: ({ key }) => `value of ${key}`,
});
const writeNote = defineTool({
  name: 'write_note',
  description: 'Keeps a note.',
  parameters: z.object({ text: z.string() }),
  execute: ({ text }) => `kept: ${text}`,
});
const hold = defineTool({
  name: 'hold',
  description: 'Waits until it is released or stopped.',
  parameters: z.object({}),
  execute: (_args, { signal }) =>
    new Promise<string>((resolve, reject) => {
      held.count++;
      held.release = () => resolve('released');
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
});
const flaky = defineTool({
  name: 'flaky',
  description: 'Fails twice, then works.',
  parameters: z.object({}),
  readOnly: true,
  execute() {
    if (++failures <= 2) throw new RetryableToolError(`out of order, ${failures}`);
    return 'in order again';
  },
});

export const goldenAgent = defineAgent({
  name: 'golden',
  instructions: 'You do what you are told.',
  model: 'any',
  tools: [lookUp, writeNote, hold, flaky],
});

/** Each capture starts from here. */
export function resetTools(): void {
  held.count = 0;
  failures = 0;
}
