import type { ModelClient } from '../models/model.ts';
import type { Store } from '../stores/store.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Contexts } from './contexts.ts';

/** What the activities of a worker share. Put together once, in `worker.ts`. */
export interface ActivityDeps {
  registry: ToolRegistry;
  /** Picks the client for a model name, `provider:model` or a bare name for the first provider. */
  models(model: string): { client: ModelClient; model: string };
  store: Store;
  contexts: Contexts;
  /** Ask the run itself for a context that the store lost. Default true; false where workers may not query. */
  recoverByQuery: boolean;
}
