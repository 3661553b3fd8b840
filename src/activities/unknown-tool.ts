import { activityInfo } from '@temporalio/activity';
import type { ToolOutcome } from '../contract.ts';
import type { ActivityDeps } from './deps.ts';
import { keepOutcome } from './kept-outcome.ts';

/**
 * The worker's activity for every type it doesn't know: a tool that was removed or renamed while a run was under way. The
 * model hears of it and goes on, instead of Temporal retrying a type that will never come back.
 */
export const unknownTool =
  (deps: ActivityDeps) =>
  async (...args: unknown[]): Promise<ToolOutcome> => {
    const { activityType, attempt } = activityInfo();
    const outcome: ToolOutcome = {
      status: 'refused',
      class: 'general',
      text: `Error: the tool ${activityType} doesn't exist any more, the call was not run. Go on without it.`,
      ...(attempt === 1 ? {} : { attempts: attempt }),
    };
    const key = keyOf(args[0]);
    if (key !== undefined) await keepOutcome(deps.store, key, outcome);
    return outcome;
  };

/** Any activity may end here, so the input may be anything. */
const keyOf = (input: unknown): string | undefined =>
  typeof input === 'object' && input !== null && 'key' in input && typeof input.key === 'string'
    ? input.key
    : undefined;
