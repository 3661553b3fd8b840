import type { JsonObject, OpenAIToolCall, PlannedCall } from '../contract.ts';
import type { RawToolCall } from '../models/model.ts';
import { fitArguments } from './arguments/fit-arguments.ts';
import { readArguments } from './arguments/read-arguments.ts';
import { lettersAndDigits } from './closest.ts';
import type { Tool, ToolSpec } from './define.ts';
import { digest } from './digest.ts';
import { refusal } from './refusal.ts';
import { stableJson } from './stable-json.ts';
import { signature } from './signature.ts';
import { toWireCall } from './wire-call.ts';

/** `toolCalls[i]` goes into the assistant message, `plan[i]` says what becomes of it. */
export interface CallPlan {
  toolCalls: OpenAIToolCall[];
  plan: PlannedCall[];
  /** For the run's record: a tool whose own `resources` is broken. */
  warnings: string[];
}

/**
 * The Planner: judges each call of a reply on its own (turn-semantics §3, "Per call"). Runs in the model activity, so the
 * workflow only reads what is decided here. Never throws.
 *
 * @param catalog The tools the model was offered.
 */
export function planCalls(calls: readonly RawToolCall[], catalog: readonly Tool[]): CallPlan {
  const warnings: string[] = [];
  const planned = calls.map((call) => planCall(call, catalog, warnings));
  return {
    toolCalls: planned.map(({ toolCall }) => toolCall),
    plan: planned.map(({ planned }) => planned),
    warnings,
  };
}

function planCall(
  call: RawToolCall,
  catalog: readonly Tool[],
  warnings: string[],
): { toolCall: OpenAIToolCall; planned: PlannedCall } {
  const read = readArguments(call.arguments);
  const toolCall = toWireCall(call, read.text);
  const hashOf = (args: string): string => digest(`${call.name}\n${args}`);

  const tool = catalog.find(({ name }) => name === call.name);
  if (!tool)
    return { toolCall, planned: { hash: hashOf(read.text), answer: unknownTool(call.name, catalog) } };

  const caps = allowances(tool.spec);
  if (!read.value) {
    const hash = hashOf(typeof call.arguments === 'string' ? call.arguments : read.text);
    const answer = refusal('InvalidArguments', `${tool.name} was not run: ${read.problem}`, signature(tool));
    return { toolCall, planned: { hash, ...caps, answer } };
  }

  const fitted = fitArguments(tool, read.value);
  const hash = hashOf(stableJson(fitted.args));
  if (fitted.problems) {
    const list = fitted.problems.map((line) => `\n- ${line}`).join('');
    const answer = refusal(
      'InvalidArguments',
      `${tool.name} was not run, its arguments are not valid:${list}`,
      signature(tool),
    );
    return { toolCall, planned: { hash, ...caps, answer } };
  }
  const planned: PlannedCall = { hash, ...caps };
  if (stableJson(fitted.args) !== stableJson(JSON.parse(read.text) as JsonObject))
    planned.args = structuredClone(fitted.args);
  return { toolCall, planned: { ...planned, ...effectOf(tool, fitted.output, warnings) } };
}

type Args = Parameters<ToolSpec['execute']>[0];

/** What a valid call touches and needs. */
function effectOf({ spec, name }: Tool, args: unknown, warnings: string[]): Partial<PlannedCall> {
  const approval = approvalOf(spec, args as Args);
  if (approval.error !== undefined)
    return {
      answer: refusal(
        'ApprovalCheckFailed',
        `${name} was not run: whether a person has to agree could not be decided (${approval.error}).`,
        'Tell the user; this is a fault of the tool and not of the arguments.',
      ),
    };
  const resources = resourcesOf(spec, args as Args);
  if (resources?.error !== undefined)
    warnings.push(`${name}: resources failed (${resources.error}); the call runs alone.`);
  return {
    ...(!resources?.error && (spec.concurrencySafe ?? spec.readOnly) ? { safe: true } : {}),
    ...(resources?.reads ? { reads: resources.reads } : {}),
    ...(resources?.writes ? { writes: resources.writes } : {}),
    ...(spec.timeoutMs === undefined ? {} : { timeoutMs: spec.timeoutMs }),
    ...(spec.attempts === undefined ? {} : { attempts: spec.attempts }),
    ...(spec.taskQueue === undefined ? {} : { taskQueue: spec.taskQueue }),
    ...(approval.needed ? { approval: approval.needed } : {}),
  };
}

/** Refused calls count too, so every plan of a known tool carries these. */
const allowances = ({ callsPerTurn, callsPerRun }: ToolSpec): Partial<PlannedCall> => ({
  ...(callsPerTurn === undefined ? {} : { callsPerTurn }),
  ...(callsPerRun === undefined ? {} : { callsPerRun }),
});

/** Asked once, here; what it says is recorded. Anything truthy but text counts as yes: when in doubt, a person decides. */
function approvalOf(
  { approval, destructive }: ToolSpec,
  args: Args,
): { needed: boolean | string; error?: never } | { error: string } {
  if (typeof approval !== 'function') return { needed: approval ?? destructive ?? false };
  try {
    const said: unknown = approval(args);
    return { needed: typeof said === 'string' && said.trim() !== '' ? said : said === '' || Boolean(said) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function resourcesOf(
  { resources }: ToolSpec,
  args: Args,
): { reads?: string[]; writes?: string[]; error?: string } | undefined {
  if (!resources) return undefined;
  try {
    const { reads, writes } = resources(args);
    if (![reads, writes].every(isNames)) return { error: 'reads and writes have to be lists of names' };
    return { ...(reads ? { reads: [...reads] } : {}), ...(writes ? { writes: [...writes] } : {}) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

const isNames = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'));

const messageOf = (error: unknown): string =>
  String((error as { message?: unknown } | null)?.message ?? error);

/** One suggestion at most, and only when nothing else could be meant: a wrong guess would be run. */
function unknownTool(name: string, catalog: readonly Tool[]) {
  const alike = catalog.filter((tool) => lettersAndDigits(tool.name) === lettersAndDigits(name));
  const only = alike.length === 1 ? ` Did you mean "${alike[0]?.name}"?` : '';
  const names = catalog.map((tool) => tool.name).sort();
  const available = names.length > 0 ? `Available tools: ${names.join(', ')}.` : 'There are no tools.';
  return refusal(
    'UnknownTool',
    `there is no tool "${name.slice(0, 100)}".${only} ${available}`,
    names.length > 0
      ? 'Call one of the available tools by its exact name, or answer without a tool.'
      : 'Answer without a tool.',
  );
}
