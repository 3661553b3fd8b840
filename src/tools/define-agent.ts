import { checkLimits } from '../check-limits.ts';
import type { Limits } from '../contract.ts';
import { didYouMean } from './closest.ts';
import { isTool, namePattern } from './define-tool.ts';
import type { Tool } from './define.ts';
import { shown } from './shown.ts';

/** What instructions may depend on. They are rendered at the start of each turn and recorded in the run. */
export interface InstructionsContext {
  /** 1 for the first turn. */
  turn: number;
  /** Given with the run's input. */
  metadata: { readonly [key: string]: string };
  now: Date;
}

export interface AgentSpec {
  /** Letters, digits, `_` and `-`, at most 64. */
  name: string;
  /** The system message, or a function that writes it for a turn. */
  instructions: string | ((context: InstructionsContext) => string | Promise<string>);
  /** `model`, or `provider:model` with a provider of the worker's configuration. */
  model: string;
  tools: readonly Tool[];
  /** Go before the defaults in `limits.ts`; limits given at the start of a run go before these. */
  limits?: Partial<Limits>;
}

/** An agent as `defineAgent` returns it: checked, its tools unique by name. */
export type Agent = Readonly<AgentSpec>;

const known = ['name', 'instructions', 'model', 'tools', 'limits'];

/** @throws TypeError naming the agent, the field, the value and the remedy. */
export function defineAgent(spec: AgentSpec): Agent {
  const where = `defineAgent(${typeof spec?.name === 'string' ? JSON.stringify(spec.name) : ''})`;
  if (typeof spec !== 'object' || spec === null)
    throw new TypeError(`${where}: give an object with name, instructions, model and tools.`);
  for (const key of Object.keys(spec))
    if (!known.includes(key))
      throw new TypeError(
        `${where}: unknown field "${key}".${didYouMean(key, known)} Known: ${known.join(', ')}.`,
      );
  const { name, instructions, model, tools, limits } = spec;
  if (typeof name !== 'string' || !namePattern.test(name))
    fail(where, 'name', name, 'a letter or "_", then letters, digits, "_" and "-", at most 64 characters');
  if (typeof instructions !== 'function' && !isText(instructions))
    fail(where, 'instructions', instructions, 'text, or a function ({ turn, metadata, now }) => text');
  if (!isText(model)) fail(where, 'model', model, 'the name of a model');
  if (!Array.isArray(tools)) fail(where, 'tools', tools, 'a list of tools made by defineTool; [] for none');
  checkTools(tools, where);
  if (limits !== undefined) checkLimits(limits, `${where}: limits`);
  return Object.freeze({ ...spec, tools: Object.freeze([...tools]) });
}

function checkTools(tools: readonly unknown[], where: string): void {
  const names = new Set<string>();
  for (const [i, tool] of tools.entries()) {
    if (!isTool(tool)) fail(where, `tools[${i}]`, tool, 'a tool made by defineTool');
    if (names.has(tool.name))
      throw new TypeError(
        `${where}: two tools are named "${tool.name}". Rename one of them, or leave one out.`,
      );
    names.add(tool.name);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function fail(where: string, field: string, value: unknown, needed: string): never {
  throw new TypeError(`${where}: ${field} is ${shown(value)}. Needed: ${needed}.`);
}
