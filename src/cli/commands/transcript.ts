import { defineCommand } from '../command.ts';
import { idArgument } from '../options.ts';
import { messageLines } from '../message-lines.ts';

export const transcript = defineCommand({
  name: 'transcript',
  summary: "shows a run's messages",
  about: ['All messages of the conversation, as the run keeps them: chat-completions messages.'],
  args: [idArgument],
  options: { json: { type: 'boolean', help: 'one line of JSON per message' } },
  examples: [
    ['transcript analyst-7', ''],
    ['transcript analyst-7 --json > messages.jsonl', ''],
  ],
  async run({ args: { id }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const messages = await withAgents(terminal, (agents) => agents.run(id).transcript());
    for (const message of messages) {
      if (options.json === true) terminal.out(JSON.stringify(message));
      else for (const line of messageLines(message, terminal.paint)) terminal.out(line);
    }
    return 0;
  },
});
