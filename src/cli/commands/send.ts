import { randomUUID } from 'node:crypto';
import { defineCommand } from '../command.ts';
import { idArgument, jsonOption, messageArgument, readMessage } from '../options.ts';

export const send = defineCommand({
  name: 'send',
  summary: 'sends a message into a run, without waiting for the answer',
  about: [
    'The run takes it up at the next boundary of its loop, in the middle of a turn too. The same message id again is ignored.',
    'With --agent the run is started when none with this id is under way.',
  ],
  args: [idArgument, messageArgument],
  options: {
    agent: { type: 'string', value: 'name', help: 'start a run of this agent when none is under way' },
    interrupt: { type: 'boolean', help: 'cancel what is running and go on with this message' },
    'message-id': { type: 'string', value: 'id', help: 'default: a random one' },
    json: jsonOption,
  },
  examples: [
    ['send analyst-7 "Only 2025, please"', ''],
    ['send analyst-7 "Stop, wrong table" --interrupt', ''],
    ['send customer-42 "Hello" --agent support', 'starts the conversation, or goes on with it'],
  ],
  async run({ args: { id, message }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const text = await readMessage(message, terminal);
    const messageId = options['message-id'] ?? randomUUID();
    await withAgents(terminal, async (agents) => {
      const interrupt = options.interrupt === true ? { interrupt: true } : {};
      if (options.agent === undefined) await agents.run(id).send(text, { id: messageId, ...interrupt });
      else await agents.send(id, text, { agent: options.agent, messageId, ...interrupt });
    });
    terminal.out(options.json === true ? JSON.stringify({ id, messageId }) : `Sent to ${id}`);
    return 0;
  },
});
