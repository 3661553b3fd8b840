import { Context } from '@temporalio/activity';
import { Contexts } from '../activities/contexts.ts';
import { createActivities } from '../activities/index.ts';
import { modelRegistry, modelsFromEnvironment } from '../models/registry.ts';
import { dependableStore } from '../stores/dependable-store.ts';
import { readResultTool } from '../tools/builtin/read-result.ts';
import type { Agent } from '../tools/define-agent.ts';
import { toolRegistry, type ToolRegistry } from '../tools/registry.ts';
import type { AgentPluginOptions } from './agent-options.ts';
import { describeAgents } from './describe-agents.ts';
import { localStore } from './local-store.ts';

export type Activities = Record<string, (...args: never[]) => unknown>;

/**
 * The activities of a worker's agents: the library's own, one per tool, and `default`.
 *
 * @throws TypeError or Error that names the field and the remedy: no agents, two of one name, no model, a model that no
 * provider takes
 */
export function agentActivities(options: AgentPluginOptions): {
  activities: Activities;
  registry: ToolRegistry;
} {
  if (!Array.isArray(options.agents) || options.agents.length === 0) {
    throw new TypeError(
      `agents is ${Array.isArray(options.agents) ? 'empty' : String(options.agents)}: give a list with at least one agent, made by defineAgent`,
    );
  }
  const store = dependableStore(options.store ?? localStore(), (operation, error) =>
    Context.current().log.warn(`the store failed a ${operation}: what it should keep is asked of the run`, {
      error,
    }),
  );
  const registry = toolRegistry(options.agents, [readResultTool(store)]);
  const models = modelRegistry(options.models ?? modelsFromEnvironment(process.env));
  for (const agent of options.agents as readonly Agent[]) checkModel(agent, models);
  const activities = createActivities({
    registry,
    models,
    store,
    contexts: options.contexts ?? new Contexts(store),
    recoverByQuery: options.recoverByQuery ?? true,
  });
  return { activities: { ...activities, 'turnloop.describeAgents': describeAgents(registry) }, registry };
}

function checkModel({ name, model }: Agent, models: (model: string) => unknown): void {
  try {
    models(model);
  } catch (error) {
    throw new TypeError(`model of agent "${name}": ${(error as Error | null)?.message ?? String(error)}`, {
      cause: error,
    });
  }
}
