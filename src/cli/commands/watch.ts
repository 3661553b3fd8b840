import { defineCommand } from '../command.ts';
import { follow } from '../follow.ts';
import { idArgument, readCount } from '../options.ts';
import { answerExits, showAnswer } from '../show-answer.ts';

export const watch = defineCommand({
  name: 'watch',
  summary: 'shows what happens in a run, as it happens',
  about: [
    'Thought, action and observation of each iteration, until the run ends; Ctrl-C ends the watching only.',
  ],
  args: [idArgument],
  options: {
    from: { type: 'string', value: 'seq', help: 'only what comes behind this event; default: 0, everything' },
    json: { type: 'boolean', help: 'one line of JSON per event' },
  },
  examples: [
    ['watch analyst-7', ''],
    ['watch analyst-7 --json --from 12', 'goes on where a reader stopped'],
  ],
  exits: answerExits,
  async run({ args: { id }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const from = options.from === undefined ? undefined : readCount('from', options.from);
    const json = options.json === true;
    return await withAgents(terminal, async (agents) => {
      const run = agents.run(id);
      await follow(run, terminal, { json, from });
      const result = await run.result();
      if (json) return result.stopReason === 'completed' ? 0 : 1;
      return showAnswer(result, { id }, terminal);
    });
  },
});
