import type { AgentDescription, JsonObject } from '../contract.ts';
import { bounds } from '../limits.ts';
import type { ToolRegistry } from '../tools/registry.ts';

/** The activity behind `agents.describe`. Schemas are left out when all together are too large for a payload. */
export const describeAgents = (registry: ToolRegistry) => async (): Promise<AgentDescription[]> => {
  const agents = [...registry.agents.values()].map(({ name, model, limits = {} }): AgentDescription => ({
    name,
    model,
    limits,
    tools: registry.toolsOf(name).map((tool) => ({
      name: tool.name,
      description: tool.spec.description,
      schema: tool.schema as JsonObject,
    })),
  }));
  if (Buffer.byteLength(JSON.stringify(agents)) <= bounds.payloadBytesMax) return agents;
  return agents.map((agent) => ({
    ...agent,
    tools: agent.tools.map(({ name, description }) => ({ name, description })),
  }));
};
