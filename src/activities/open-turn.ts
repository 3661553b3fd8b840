import { createHash } from 'node:crypto';
import { checkLimits } from '../check-limits.ts';
import type { Limits, OpenedTurn, OpenTurnInput } from '../contract.ts';
import { defaultLimits } from '../limits.ts';
import type { Agent } from '../tools/define-agent.ts';
import type { ActivityDeps } from './deps.ts';
import { describe } from './failures.ts';

/**
 * Renders the instructions of the agent and adds up the limits: defaults, then the agent's, then the run's. What stands in
 * the run already is not returned again: the digest has a half for each.
 */
export const openTurn =
  (deps: ActivityDeps) =>
  async (input: OpenTurnInput): Promise<OpenedTurn> => {
    let agent: Agent;
    try {
      agent = deps.registry.agent(input.agent);
    } catch (error) {
      return { digest: '', error: { type: 'unknown_agent', message: describe(error) } };
    }
    try {
      deps.models(input.model ?? agent.model);
      checkLimits(input.limits ?? {}, 'limits');
    } catch (error) {
      return { digest: '', error: { type: 'invalid_input', message: describe(error) } };
    }
    const limits: Limits = { ...defaultLimits, ...agent.limits, ...input.limits };
    const instructions = await rendered(agent, input);
    const [knownInstructions, knownLimits] = (input.known ?? '.').split('.');
    const instructionsDigest = digestOf(instructions);
    const limitsDigest = digestOf(JSON.stringify(limits));
    return {
      digest: `${instructionsDigest}.${limitsDigest}`,
      ...(instructionsDigest === knownInstructions ? {} : { instructions }),
      ...(limitsDigest === knownLimits ? {} : { limits }),
    };
  };

/** A function that throws fails the activity, which is tried again: what it needs may be down for a moment. */
async function rendered({ instructions }: Agent, input: OpenTurnInput): Promise<string> {
  if (typeof instructions === 'string') return instructions;
  return await instructions({ turn: input.turn, metadata: input.metadata ?? {}, now: new Date() });
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
