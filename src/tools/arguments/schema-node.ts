import type { Json } from '../../contract.ts';

/** One node of a JSON Schema. `true`, `false` and anything unreadable count as an empty one: they say nothing of types. */
export type SchemaNode = { readonly [keyword: string]: unknown };
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** Hops along `$ref` before a chain counts as endless. */
const refHopsMax = 20;

const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The node itself, local references (`#/$defs/…`) followed. */
export function resolved(schema: unknown, root: SchemaNode): SchemaNode {
  let node = schema;
  for (let hop = 0; hop < refHopsMax; hop++) {
    if (!isNode(node)) return {};
    if (typeof node.$ref !== 'string') return node;
    node = pointed(node.$ref, root);
  }
  return {};
}

function pointed(ref: string, root: SchemaNode): unknown {
  if (!ref.startsWith('#')) return undefined;
  let node: unknown = root;
  for (const step of ref.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as { [key: string]: unknown })[key];
  }
  return node;
}

/** The branches of `anyOf` and `oneOf`. */
export const branches = (node: SchemaNode): unknown[] => [...listOf(node.anyOf), ...listOf(node.oneOf)];

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The types a node accepts; undefined: any. */
export function typesOf(schema: unknown, root: SchemaNode, depth = 0): Set<JsonType> | undefined {
  const node = resolved(schema, root);
  const nullable = node.nullable === true ? (['null'] as const) : [];
  if (typeof node.type === 'string' || Array.isArray(node.type))
    return new Set([...([node.type].flat() as JsonType[]), ...nullable]);
  if ('const' in node) return new Set([typeOf(node.const as Json), ...nullable]);
  if (Array.isArray(node.enum)) return new Set([...(node.enum as Json[]).map(typeOf), ...nullable]);
  if (depth >= refHopsMax) return undefined;
  for (const part of listOf(node.allOf)) {
    const types = typesOf(part, root, depth + 1);
    if (types) return types;
  }
  const alternatives = branches(node).map((branch) => typesOf(branch, root, depth + 1));
  if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
  return new Set(alternatives.flatMap((types) => [...(types ?? [])]));
}

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
}
