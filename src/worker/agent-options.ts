import type { Contexts } from '../activities/contexts.ts';
import type { ModelClient } from '../models/model.ts';
import type { Store } from '../stores/store.ts';
import type { Agent } from '../tools/define-agent.ts';

/** What a worker runs agents with. */
export interface AgentPluginOptions {
  agents: readonly Agent[];
  /** Model clients by provider; the first takes every model name without a provider. Default: from the environment. */
  models?: Readonly<Record<string, ModelClient>>;
  /** Default: files in `.turnloop/store`. Workers on several hosts want a shared one. */
  store?: Store;
  /** Whether activities may ask a run for what the store lost. Default: true. */
  recoverByQuery?: boolean;
  /** Contexts held in memory. Default: new ones over `store`. */
  contexts?: Contexts;
}
