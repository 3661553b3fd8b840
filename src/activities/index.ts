import { callModel } from './call-model.ts';
import type { ActivityDeps } from './deps.ts';
import { loadContext } from './load-context.ts';
import { openTurn } from './open-turn.ts';
import { runTool } from './run-tool.ts';
import { unknownTool } from './unknown-tool.ts';

type Activity = (...args: never[]) => Promise<unknown>;

/** All activities of a worker: the library's own, one per tool, and `default` for every type that nobody registered. */
export function createActivities(deps: ActivityDeps): Record<string, Activity> {
  const tools = [...deps.registry.tools.values()].map((tool): [string, Activity] => [
    tool.name,
    runTool(deps, tool),
  ]);
  return {
    ...Object.fromEntries(tools),
    'turnloop.openTurn': openTurn(deps),
    'turnloop.loadContext': loadContext(deps),
    'turnloop.callModel': callModel(deps),
    default: unknownTool(deps),
  };
}
