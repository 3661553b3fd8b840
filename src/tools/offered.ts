import type { OfferedTool } from '../models/model.ts';
import type { Tool } from './define.ts';

/** Tools as a model is told of them, in a stable order (by name), so that a provider's prompt cache finds them again. */
export const offered = (tools: readonly Tool[]): OfferedTool[] =>
  tools
    .map(({ name, schema, spec }) => ({ name, description: spec.description, parameters: schema }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
