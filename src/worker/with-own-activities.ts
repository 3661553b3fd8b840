import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { Activities } from './agent-activities.ts';

/**
 * The worker's own activities together with the agents'. Temporal gives every type that nobody registered to `default`: a
 * tool that is gone is answered by ours, everything else goes to the worker's own, or fails as it would without us.
 *
 * @throws TypeError that names an activity that both have
 */
export function withOwnActivities(own: Activities, agents: Activities): Activities {
  for (const name of Object.keys(own)) {
    if (name === 'default' || own[name] === agents[name]) continue;
    if (Object.hasOwn(agents, name) || name.startsWith('turnloop.'))
      throw new TypeError(clash(name, Object.hasOwn(agents, name)));
  }
  const answerGoneTool = agents['default'] as (...args: unknown[]) => unknown;
  const ownDefault = own['default'] as ((...args: unknown[]) => unknown) | undefined;
  return {
    ...own,
    ...agents,
    default: (...args: unknown[]) => {
      if (isToolCall(args[0])) return answerGoneTool(...args);
      if (ownDefault) return ownDefault(...args);
      const { activityType } = activityInfo();
      throw ApplicationFailure.retryable(
        `Activity function ${activityType} is not registered on this Worker`,
        'NotFoundError',
      );
    },
  };
}

const clash = (name: string, isTool: boolean): string =>
  name.startsWith('turnloop.')
    ? `activities["${name}"]: names that begin with "turnloop." belong to the runtime. Rename the activity.`
    : `activities["${name}"] has the name of ${isTool ? 'a tool of an agent' : 'an activity'}, which runs as an activity of that name. Rename one of them.`;

/** The input of a tool's activity, `RunToolInput`. */
const isToolCall = (input: unknown): boolean =>
  typeof input === 'object' &&
  input !== null &&
  ['agent', 'key', 'id', 'root'].every(
    (field) => typeof (input as Record<string, unknown>)[field] === 'string',
  );
