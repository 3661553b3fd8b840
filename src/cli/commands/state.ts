import { defineCommand } from '../command.ts';
import { idArgument, jsonOption } from '../options.ts';
import { stateLines } from '../state-lines.ts';

export const state = defineCommand({
  name: 'state',
  summary: 'says where a run stands',
  about: ['Turn, iteration, the calls in flight, waiting messages and usage.'],
  args: [idArgument],
  options: { json: jsonOption },
  examples: [
    ['state analyst-7', ''],
    ['state analyst-7 --json | jq .usage', ''],
  ],
  async run({ args: { id }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const found = await withAgents(terminal, (agents) => agents.run(id).state());
    if (options.json === true) terminal.out(JSON.stringify({ id, ...found }));
    else for (const line of stateLines(id, found)) terminal.out(line);
    return 0;
  },
});
