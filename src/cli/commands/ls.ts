import { defineCommand } from '../command.ts';
import { readCount } from '../options.ts';
import { plain } from '../progress.ts';

const statuses = ['running', 'completed', 'failed', 'canceled', 'terminated', 'timed-out'] as const;

export const ls = defineCommand({
  name: 'ls',
  summary: 'lists runs, newest first',
  about: ['Runs of agents in the namespace: workflow id, agent, status, start and title.'],
  args: [],
  options: {
    status: { type: 'string', value: 'status', help: statuses.join(', '), choices: statuses },
    agent: { type: 'string', value: 'name', help: 'of this agent only' },
    limit: { type: 'string', value: 'n', help: 'at most so many; default: 20' },
    json: { type: 'boolean', help: 'one line of JSON per run' },
  },
  examples: [
    ['ls --status running', ''],
    ['ls --limit 200 --json', ''],
  ],
  async run({ options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const { listRuns } = await import('../list-runs.ts');
    const limit = options.limit === undefined ? 20 : readCount('limit', options.limit);
    const { status, agent } = options;
    const runs = await withAgents(terminal, (agents) => listRuns(agents.temporal, { status, agent, limit }));
    if (options.json === true) {
      for (const run of runs) terminal.out(JSON.stringify(run));
      return 0;
    }
    if (runs.length === 0) terminal.err('No runs.');
    const rows = runs.map((run) => [
      run.id,
      run.agent ?? '',
      run.status,
      run.started.slice(0, 19),
      run.title ?? '',
    ]);
    const widths = [0, 1, 2, 3].map((at) => Math.max(0, ...rows.map((row) => row[at]!.length)));
    for (const row of rows)
      terminal.out(
        row
          .map((cell, at) => plain(cell).padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      );
    return 0;
  },
});
