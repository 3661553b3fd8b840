import { defineAgent, defineTool } from 'turnloop';
import { z } from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers and returns the sum.',
  parameters: z.object({ a: z.number().describe('first'), b: z.number().describe('second') }),
  readOnly: true,
  execute: ({ a, b }) => ({ sum: a + b }),
});

export const agents = [defineAgent({ name: 'adder', instructions: 'You add.', model: 'any', tools: [add] })];
