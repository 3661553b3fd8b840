import type { Json, JsonObject } from '../../contract.ts';
import { isDraftObject, NumberLiteral, parseDraft, type Draft, type DraftObject } from './draft.ts';
import {
  branches,
  listOf,
  resolved,
  typeOf,
  typesOf,
  type JsonType,
  type SchemaNode,
} from './schema-node.ts';

/**
 * Brings arguments nearer to their schema where no information is lost: "5" → 5, "true" → true, 5 → "5" (as it was
 * written), the JSON text of an object or list → that object or list, null for an optional parameter that doesn't allow
 * null → absent. Never 1 → true. What doesn't fit stays as it is, for the validation to name it.
 * Defaults are filled in with `fillDefaults`; zod does that itself.
 */
export function castArguments(
  value: DraftObject,
  schema: SchemaNode,
  { fillDefaults }: { fillDefaults: boolean },
): { args: JsonObject; problems: string[] } {
  const problems: string[] = [];
  const caster = new Caster(schema, fillDefaults, problems);
  return { args: caster.object(value, [schema], ''), problems };
}

class Caster {
  readonly #root: SchemaNode;
  readonly #fillDefaults: boolean;
  readonly #problems: string[];

  constructor(root: SchemaNode, fillDefaults: boolean, problems: string[]) {
    this.#root = root;
    this.#fillDefaults = fillDefaults;
    this.#problems = problems;
  }

  value(draft: Draft, schema: unknown, path: string): Json {
    const types = typesOf(schema, this.#root);
    const scalar =
      draft instanceof NumberLiteral || typeof draft === 'number' ? this.#number(draft, types, path) : draft;
    const fitting = typeof scalar === 'string' ? fromText(scalar, types) : scalar;
    if (typeof fitting === 'boolean' && types?.has('string') && !types.has('boolean')) return String(fitting);
    if (Array.isArray(fitting)) {
      const items = this.#parts(schema, 'array')
        .map((node) => node.items)
        .find((node) => node !== undefined);
      return fitting.map((item, i) => this.value(item, items, `${path}[${i}]`));
    }
    if (isDraftObject(fitting)) return this.object(fitting, this.#parts(schema, 'object', fitting), path);
    return fitting as Json;
  }

  object(value: DraftObject, nodes: SchemaNode[], path: string): JsonObject {
    const properties = new Map(nodes.flatMap((node) => Object.entries((node.properties as object) ?? {})));
    const required = new Set(nodes.flatMap((node) => listOf(node.required)));
    const rest = nodes.map((node) => node.additionalProperties).find((node) => typeof node === 'object');
    const entries: [string, Json][] = [];
    for (const [key, item] of Object.entries(value)) {
      const schema = properties.get(key);
      if (item === null && schema !== undefined && this.#meansAbsent(schema, required.has(key))) continue;
      entries.push([key, this.value(item, schema ?? rest, path === '' ? key : `${path}.${key}`)]);
    }
    if (this.#fillDefaults)
      for (const [key, schema] of properties) {
        const byDefault = resolved(schema, this.#root).default as Json | undefined;
        if (byDefault !== undefined && !entries.some(([name]) => name === key))
          entries.push([key, structuredClone(byDefault)]);
      }
    return Object.fromEntries(entries);
  }

  #meansAbsent(schema: unknown, isRequired: boolean): boolean {
    const types = typesOf(schema, this.#root);
    if (types === undefined || types.has('null')) return false;
    return !isRequired || 'default' in resolved(schema, this.#root);
  }

  #number(draft: NumberLiteral | number, types: Set<JsonType> | undefined, path: string): Json {
    const literal = draft instanceof NumberLiteral ? draft : new NumberLiteral(String(draft));
    const wantsText = types?.has('string') && !types.has('number') && !types.has('integer');
    // A number that came as such and not as text may have lost its digits already.
    if (literal.isTooLarge && !(wantsText && draft instanceof NumberLiteral))
      this.#problems.push(
        `${path}: expected an integer that a number can hold exactly (up to 2^53), received ${literal.source}. ` +
          'Send it as text, if the parameter takes text.',
      );
    return wantsText ? literal.source : literal.value;
  }

  /** The nodes that describe an object or a list: the schema itself, all of `allOf`, and the one branch that is meant. */
  #parts(schema: unknown, type: 'object' | 'array', value?: DraftObject, depth = 0): SchemaNode[] {
    const node = resolved(schema, this.#root);
    if (depth > 10) return [node];
    const nested = [...listOf(node.allOf), ...this.#meant(branches(node), type, value)];
    return [node, ...nested.flatMap((each) => this.#parts(each, type, value, depth + 1))];
  }

  #meant(alternatives: unknown[], type: JsonType, value: DraftObject | undefined): unknown[] {
    const possible = alternatives.filter(
      (branch) => typesOf(branch, this.#root)?.has(type) && (!value || this.#tagsFit(branch, value)),
    );
    return possible.length === 1 ? possible : [];
  }

  /** Whether no property with a fixed value (`const`, `enum`) contradicts: how the branches of a union are told apart. */
  #tagsFit(branch: unknown, value: DraftObject): boolean {
    const { properties } = resolved(branch, this.#root);
    return Object.entries((properties as object) ?? {}).every(([key, schema]) => {
      const { const: only, enum: some } = resolved(schema, this.#root);
      const allowed = only === undefined ? listOf(some) : [only];
      return allowed.length === 0 || !Object.hasOwn(value, key) || allowed.includes(value[key]);
    });
  }
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Digits that a number keeps for sure. */
const exactDigits = 15;

function fromText(text: string, types: Set<JsonType> | undefined): Draft {
  if (!types || types.has('string')) return text;
  if (types.has('number') || types.has('integer')) {
    const digits = text
      .replace(/[eE].*$/, '')
      .replace(/\D/g, '')
      .replace(/^0+/, '').length;
    const number = Number(text);
    const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : digits <= exactDigits;
    if (numberText.test(text) && isExact && (types.has('number') || Number.isInteger(number))) return number;
  }
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (!types.has('object') && !types.has('array')) return text;
  try {
    const parsed = parseDraft(text);
    // A number keeps its literal in an object of its own, which is no JSON object.
    const isStructure = Array.isArray(parsed) || isDraftObject(parsed);
    return isStructure && types.has(typeOf(parsed as Json)) ? parsed : text;
  } catch {
    // Not JSON text: it stays, and the validation names it.
    return text;
  }
}
