import { createHash } from 'node:crypto';
import { checkLimits } from '../check-limits.ts';
import type { Limits, OpenedTurn, OpenTurnInput } from '../contract.ts';
import { utf8Bytes } from '../core/json-bytes.ts';
import { defaultLimits } from '../limits.ts';
import type { Agent } from '../tools/define-agent.ts';
import type { ActivityDeps } from './deps.ts';
import { describe } from './failures.ts';
import { Heartbeat } from './heartbeat.ts';

/**
 * Renders the instructions of the agent and adds up the limits: defaults, then the agent's, then the run's. What stands in
 * the run already is not returned again: the digest has a half for each.
 */
export const openTurn =
  (deps: ActivityDeps) =>
  async (input: OpenTurnInput): Promise<OpenedTurn> => {
    const heartbeat = new Heartbeat();
    try {
      return await opened(deps, input);
    } finally {
      heartbeat.stop();
    }
  };

async function opened(deps: ActivityDeps, input: OpenTurnInput): Promise<OpenedTurn> {
  let agent: Agent;
  try {
    agent = deps.registry.agent(input.agent);
  } catch (error) {
    return refused('unknown_agent', describe(error));
  }
  const limits: Limits = { ...defaultLimits, ...agent.limits, ...input.limits };
  try {
    checkLimits(input.limits ?? {}, 'limits');
    checkPrice(deps, input.model ?? agent.model, limits);
  } catch (error) {
    return refused('invalid_input', describe(error));
  }
  const instructions = await rendered(agent, input);
  const bytes = utf8Bytes(instructions);
  if (bytes > instructionsBytesMax) {
    const problem = `instructions of agent ${agent.name} have ${bytes} bytes, at most ${instructionsBytesMax} are taken`;
    return refused('invalid_input', `${problem}: shorten them, or let a tool return what they hold`);
  }
  const [knownInstructions, knownLimits] = (input.known ?? '.').split('.');
  const instructionsDigest = digestOf(instructions);
  const limitsDigest = digestOf(JSON.stringify(limits));
  return {
    digest: `${instructionsDigest}.${limitsDigest}`,
    ...(instructionsDigest === knownInstructions ? {} : { instructions }),
    ...(limitsDigest === knownLimits ? {} : { limits }),
  };
}

/** Half of a payload (temporal-facts, "Sizes"). */
const instructionsBytesMax = 500_000;

const refused = (type: string, message: string): OpenedTurn => ({ digest: '', error: { type, message } });

/** A cap on money that can't be counted would cap nothing. */
function checkPrice(deps: ActivityDeps, name: string, { maxCostUsd }: Limits): void {
  const { client, model } = deps.models(name);
  if (maxCostUsd === undefined || client.hasPrice?.(model)) return;
  throw new TypeError(
    `limits: maxCostUsd is ${maxCostUsd}, but the worker has no price for model ${JSON.stringify(name)}. ` +
      'Give its provider profile.price, or cap tokens by maxTokens.',
  );
}

/** A function that throws fails the activity, which is tried again: what it needs may be down for a moment. */
async function rendered({ instructions }: Agent, input: OpenTurnInput): Promise<string> {
  if (typeof instructions === 'string') return instructions;
  return await instructions({ turn: input.turn, metadata: input.metadata ?? {}, now: new Date() });
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
