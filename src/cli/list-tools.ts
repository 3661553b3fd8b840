import { checkDefinitions } from '../tools/check-definitions.ts';
import type { CatalogEntry, ToolRegistry } from '../tools/registry.ts';

/**
 * The catalog of tools for `turnloop tools`: name, description, annotations, agents and schema of each, then the warnings
 * of the definition check. As text, or as JSON `{ tools, warnings }`.
 */
export function listTools(registry: ToolRegistry, { json = false }: { json?: boolean } = {}): string {
  const tools = registry.catalog();
  const warnings = checkDefinitions([...registry.tools.values()]);
  if (json) return JSON.stringify({ tools, warnings }, null, 2);
  if (tools.length === 0) return 'No tools.';
  const listed = tools.map(asText).join('\n\n');
  return warnings.length === 0
    ? listed
    : `${listed}\n\n${warnings.map((each) => `Warning: ${each}`).join('\n')}`;
}

function asText({ name, description, schema, annotations, agents }: CatalogEntry): string {
  const set = Object.entries(annotations).flatMap(([annotation, isSet]) => (isSet ? [annotation] : []));
  return [
    set.length > 0 ? `${name}  [${set.join(', ')}]` : name,
    ...description
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
    `  agents: ${agents.join(', ')}`,
    `  schema: ${JSON.stringify(schema)}`,
  ].join('\n');
}
