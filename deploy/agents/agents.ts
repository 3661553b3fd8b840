import { defineAgent, defineTool } from 'turnloop';
import { z } from 'zod';

// What a fresh deployment runs until AGENTS_DIR in .env names your own folder.
const currentTime = defineTool({
  name: 'current_time',
  description: 'Says what time it is in a time zone. Returns date, weekday and time as text.',
  parameters: z.object({ timeZone: z.string().describe('IANA name, such as Europe/Vienna') }),
  readOnly: true,
  execute: ({ timeZone }) =>
    new Date().toLocaleString('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }),
});

export const agents = [
  defineAgent({
    name: 'assistant',
    instructions: 'You answer briefly. You know the time only from the tool current_time.',
    model: 'gpt-5-mini',
    tools: [currentTime],
  }),
];
