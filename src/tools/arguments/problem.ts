import type { Json } from '../../contract.ts';
import { shortened } from '../code-points.ts';
import { branches, resolved, type SchemaNode } from './schema-node.ts';

/** Problems that one refusal lists; the model mends these first. */
export const problemsMax = 20;
/** Code points of a received value that are shown. */
const receivedChars = 80;

export type Path = readonly PropertyKey[];

/** `filter.names[2]`; the arguments themselves are `arguments`. */
export const pathText = (path: Path): string =>
  path.length === 0
    ? 'arguments'
    : path
        .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`))
        .join('');

/** One line: where, what was expected (`expected …` or a check's own `must …`), what was received. */
export function problemLine(path: Path, asked: string, args: Json): string {
  return `${pathText(path)}: ${asked}, received ${received(valueAt(args, path))}`;
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let found: unknown = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as { [key: PropertyKey]: unknown })[step];
  }
  return found as Json | undefined;
}

const received = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : shortened(JSON.stringify(value), receivedChars);

/** What a schema node asks for, in a few words; undefined when it doesn't say. */
export function expectation(schema: unknown, root: SchemaNode): string | undefined {
  const node = resolved(schema, root);
  if ('const' in node) return JSON.stringify(node.const);
  if (Array.isArray(node.enum)) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (node.type !== undefined) return [node.type].flat().join(' or ');
  const alternatives = branches(node).map((branch) => expectation(branch, root));
  return alternatives.length > 0 && !alternatives.includes(undefined) ? alternatives.join(' or ') : undefined;
}

/** The schema node that describes what stands at a path, as far as properties and items lead. */
export function nodeAt(path: Path, root: SchemaNode): unknown {
  let node: unknown = root;
  for (const step of path) {
    const { properties, items } = resolved(node, root);
    node =
      typeof step === 'number'
        ? items
        : Object.hasOwn((properties as object) ?? {}, step)
          ? (properties as { [key: PropertyKey]: unknown })[step]
          : undefined;
    if (node === undefined) return undefined;
  }
  return node;
}
