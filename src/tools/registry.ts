import { closest } from './closest.ts';
import type { Agent } from './define-agent.ts';
import type { Tool } from './define.ts';

/** MCP's tool annotations. */
export interface Annotations {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

/** A tool as discovery lists it. */
export interface CatalogEntry {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  annotations: Annotations;
  /** Names of the agents that have it. */
  agents: string[];
}

/** What a worker knows: its agents and their tools, by name. */
export interface ToolRegistry {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Every tool of every agent, the built-in ones too. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** @throws Error that names the known agents. */
  agent(name: string): Agent;
  /** The tools an agent's model is offered, by name in a stable order. @throws as `agent` does. */
  toolsOf(agent: string): Tool[];
  catalog(): CatalogEntry[];
}

/**
 * @param builtin Tools that every agent has besides its own.
 * @throws TypeError when two agents, or two different tools, have the same name: a tool's name is its activity's type, so
 *   one worker can hold only one.
 */
export function toolRegistry(agents: readonly Agent[], builtin: readonly Tool[] = []): ToolRegistry {
  const byName = new Map<string, Agent>();
  const tools = new Map<string, Tool>();
  const users = new Map<string, string[]>();
  for (const agent of agents) {
    const known = byName.get(agent.name);
    if (known && known !== agent)
      throw new TypeError(`Two agents are named "${agent.name}". Rename one of them.`);
    if (known) continue;
    byName.set(agent.name, agent);
    for (const tool of [...builtin, ...agent.tools]) {
      const other = tools.get(tool.name);
      if (other && other !== tool)
        throw new TypeError(
          `Two different tools are named "${tool.name}"; agent "${agent.name}" has one of them. ` +
            `Rename one${builtin.includes(other) ? ' (the other is built in)' : ', or use the same tool in both agents'}.`,
        );
      tools.set(tool.name, tool);
      users.set(tool.name, [...(users.get(tool.name) ?? []), agent.name]);
    }
  }

  const agentNamed = (name: string): Agent => {
    const agent = byName.get(name);
    if (agent) return agent;
    const names = [...byName.keys()];
    const guess = closest(name, names);
    throw new Error(
      `There is no agent "${name}" on this worker.${guess ? ` Did you mean "${guess}"?` : ''} Known: ${names.join(', ') || 'none'}.`,
    );
  };

  return {
    agents: byName,
    tools,
    agent: agentNamed,
    toolsOf: (name) => sorted([...builtin, ...agentNamed(name).tools]),
    catalog: () => sorted([...tools.values()]).map((tool) => entryOf(tool, users.get(tool.name) ?? [])),
  };
}

const sorted = (tools: Tool[]): Tool[] =>
  tools.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

function entryOf({ name, schema, spec }: Tool, agents: string[]): CatalogEntry {
  const { description, readOnly = false, destructive = false, idempotent = false, openWorld = false } = spec;
  const annotations = { readOnly, destructive, idempotent, openWorld };
  return { name, description, schema, annotations, agents };
}
