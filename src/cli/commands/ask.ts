import { randomUUID } from 'node:crypto';
import { defineCommand } from '../command.ts';
import { follow } from '../follow.ts';
import { idArgument, jsonOption, messageArgument, readDuration, readMessage } from '../options.ts';
import { answerExits, showAnswer } from '../show-answer.ts';
import { takenBy } from '../taken-by.ts';

export const ask = defineCommand({
  name: 'ask',
  summary: "sends a message into a run and shows its turn's answer",
  about: ['The same message id again gives the same answer and asks nothing twice.'],
  args: [idArgument, messageArgument],
  options: {
    'message-id': { type: 'string', value: 'id', help: 'default: a random one' },
    timeout: { type: 'string', value: 'duration', help: 'longest wait, such as 90s or 10m; default: none' },
    quiet: { type: 'boolean', help: 'the answer only, no progress' },
    json: jsonOption,
  },
  examples: [
    ['ask customer-42 "And in 2024?"', ''],
    ['ask customer-42 - --quiet < question.txt', ''],
  ],
  exits: answerExits,
  async run({ args: { id, message }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const text = await readMessage(message, terminal);
    const messageId = options['message-id'] ?? randomUUID();
    const timeoutMs = options.timeout === undefined ? undefined : readDuration('timeout', options.timeout);
    const json = options.json === true;
    return await withAgents(terminal, async (agents) => {
      const run = agents.run(id);
      const showProgress = !json && options.quiet !== true && options['message-id'] === undefined;
      const from = showProgress ? (await run.state()).events : 0;
      const answered = run.ask(text, { id: messageId, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      if (showProgress) {
        const failed = answered.then(() => new Promise<never>(() => {}));
        await follow(run, terminal, { from, until: takenBy(messageId), failed });
      }
      return showAnswer(await answered, { id }, terminal, json);
    });
  },
});
