import { parseArgs } from 'node:util';
import { memoryStore } from '../stores/memory-store.ts';
import { readResultTool } from '../tools/builtin/read-result.ts';
import { toolRegistry } from '../tools/registry.ts';
import { loadAgentsModule } from './agents-module.ts';
import type { Command } from './command.ts';
import { listTools } from './list-tools.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'lists the tools of the agents, and what is doubtful about them',
  help: [
    'turnloop tools [--agents <file>] [--json]',
    '',
    'Lists name, description, annotations and schema of every tool, then warnings: descriptions that are missing, tools that',
    'are nearly alike.',
    '',
    '  --agents <file>  module that exports `agents`; default: the analyst example',
    '  --json           as JSON { tools, warnings }',
  ].join('\n'),
  async run(args, terminal) {
    const { values } = parseArgs({
      args,
      options: { agents: { type: 'string' }, json: { type: 'boolean' } },
    });
    const module = await loadAgentsModule(values.agents);
    try {
      const registry = toolRegistry(module.agents, [readResultTool(memoryStore())]);
      terminal.out(listTools(registry, { json: values.json === true }));
      return 0;
    } finally {
      await module.close?.();
    }
  },
};
