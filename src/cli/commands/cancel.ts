import { defineCommand } from '../command.ts';
import { idArgument, jsonOption } from '../options.ts';

export const cancel = defineCommand({
  name: 'cancel',
  summary: 'cancels a run; what there is becomes its result',
  about: ['What is in flight gets a few seconds to stop. Resolves when the run has ended.'],
  args: [idArgument],
  options: {
    'no-wait': { type: 'boolean', help: 'ask for it and go' },
    json: jsonOption,
  },
  examples: [['cancel analyst-7', '']],
  async run({ args: { id }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const result = await withAgents(terminal, async (agents) => {
      const run = agents.run(id);
      await run.cancel();
      return options['no-wait'] === true ? undefined : await run.result();
    });
    if (options.json === true) terminal.out(JSON.stringify({ id, ...(result ?? { cancelRequested: true }) }));
    else terminal.out(result === undefined ? `Asked ${id} to stop` : `${id} ended: ${result.stopReason}`);
    return 0;
  },
});
