import { withAgentsModule } from '../agents-module.ts';
import { defineCommand } from '../command.ts';
import { listTools } from '../list-tools.ts';
import { agentsOption } from '../options.ts';

export const tools = defineCommand({
  name: 'tools',
  summary: 'lists the tools of your agents, and what is doubtful about them',
  about: [
    'Lists name, description, annotations and schema of every tool, then warnings: descriptions that are missing, tools that',
    'are nearly alike.',
  ],
  args: [],
  options: { agents: agentsOption, json: { type: 'boolean', help: 'as JSON { tools, warnings }' } },
  examples: [['tools --agents ./my-agents.ts', '']],
  async run({ options }, terminal) {
    const { memoryStore } = await import('../../stores/memory-store.ts');
    const { readResultTool } = await import('../../tools/builtin/read-result.ts');
    const { toolRegistry } = await import('../../tools/registry.ts');
    return await withAgentsModule(options.agents, async (module) => {
      const registry = toolRegistry(module.agents, [readResultTool(memoryStore())]);
      terminal.out(listTools(registry, { json: options.json === true }));
      return 0;
    });
  },
});
