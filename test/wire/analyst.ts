import { z } from 'zod';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { Scripted } from '../e2e/harness.ts';

const growth = defineTool({
  name: 'growth',
  description: 'Growth of each region in a year.',
  parameters: z.object({ year: z.number().int() }),
  readOnly: true,
  execute: ({ year }) => [{ region: 'north', year, percent: 4 }],
});

/** The agent that the commands of docs/wire.md and `client.py` talk to. */
export const analyst = defineAgent({
  name: 'analyst',
  instructions: 'You analyse.',
  model: 'scripted',
  tools: [growth],
});

/** Looks the growth up once, answers, and takes note of what else comes. */
export const analystReply: Scripted = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: 'The north grew fastest.' };
  if (messages.some(({ role }) => role === 'tool')) return { content: `Noted: ${start(last?.content)}` };
  return {
    content: 'Let me look.',
    toolCalls: [{ id: 'call-1', name: 'growth', arguments: '{"year":2025}' }],
  };
};

const start = (content: unknown): string =>
  (typeof content === 'string' ? content : JSON.stringify(content)).slice(0, 60);
