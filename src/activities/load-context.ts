import type { ContextRef, LoadContextInput } from '../contract.ts';
import type { ActivityDeps } from './deps.ts';
import { Heartbeat } from './heartbeat.ts';
import { reachOf, resolveContext } from './resolve-context.ts';

/** Takes a part of a transcript that is too large to go with the model call. Fails with `ContextMissing` as that does. */
export const loadContext =
  (deps: ActivityDeps) =>
  async (input: LoadContextInput): Promise<ContextRef> => {
    const heartbeat = new Heartbeat();
    try {
      const { id } = await resolveContext(deps, input, 'store');
      await deps.contexts.written(id);
      return { id, ...reachOf(input), ...(isResent(input) ? { resent: true } : {}) };
    } finally {
      heartbeat.stop();
    }
  };

/** Everything up to here was sent as whole messages. */
const isResent = ({ base }: LoadContextInput): boolean =>
  base === undefined || base.id === '' || base.resent === true;
