import type { Limits } from './contract.ts';
import { didYouMean } from './tools/closest.ts';
import { shown } from './tools/shown.ts';

/** A whole number in a range, any positive number, or yes or no. */
type Rule = { min: number; max: number } | 'positive' | 'flag';

/** Node's timers hold no more (24.8 days). */
const timerMsMax = 2_147_483_647;
const countMax = 1_000_000;
const count: Rule = { min: 1, max: countMax };
const countOrNone: Rule = { min: 0, max: countMax };
const timer: Rule = { min: 1, max: timerMsMax };

const rules: { [name in keyof Required<Limits>]: Rule } = {
  maxIterations: count,
  maxEmptyRetries: countOrNone,
  maxLengthRecoveries: countOrNone,
  maxInjectionsPerDrain: count,
  maxInjectionCycles: countOrNone,
  finalizeAtCap: 'flag',
  callsPerTurn: count,
  callsPerRun: count,
  repeatWarnAt: count,
  repeatRefuseAt: count,
  repeatRoundsMax: count,
  // The server refuses an execution more than 2,000 pending activities.
  maxParallel: { min: 1, max: 1_000 },
  // The upper end keeps a result within a payload (1 MB) in any script.
  toolResultMaxChars: { min: 100, max: 200_000 },
  toolTimeoutMs: timer,
  toolAttempts: { min: 1, max: 100 },
  modelCallTimeoutMs: timer,
  modelOutageWaitMs: { min: 0, max: timerMsMax },
  cancelGraceMs: { min: 0, max: timerMsMax },
  // Below 10 a run could not do a step between two continue-as-new; Temporal ends a run at 51,200.
  historyEventsMax: { min: 10, max: 40_000 },
  maxTokens: { min: 1, max: Number.MAX_SAFE_INTEGER },
  maxCostUsd: 'positive',
  timeoutMs: { min: 1, max: Number.MAX_SAFE_INTEGER },
};

/**
 * Checks limits given with an agent or with a run; fields that are undefined count as absent.
 *
 * @param where Begins the message: `defineAgent("analyst"): limits`.
 * @returns the limits that are set.
 * @throws TypeError that lists every field that is wrong, with its value and what is needed.
 */
export function checkLimits(limits: unknown, where: string): Partial<Limits> {
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits))
    throw new TypeError(`${where} is ${shown(limits)}. Give an object such as { maxIterations: 10 }.`);
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  const problems = set.flatMap(([name, value]) => problemOf(name, value) ?? []);
  if (problems.length > 0) throw new TypeError(`${where}: ${problems.join(' ')}`);
  return Object.fromEntries(set) as Partial<Limits>;
}

function problemOf(name: string, value: unknown): string | undefined {
  const names = Object.keys(rules);
  if (!Object.hasOwn(rules, name)) {
    const guess = didYouMean(name, names);
    return `unknown limit "${name}".${guess} Known: ${names.join(', ')}.`;
  }
  const rule = rules[name as keyof Limits];
  const got = `${name} is ${typeof value === 'number' ? String(value) : shown(value)}.`;
  if (rule === 'flag') return typeof value === 'boolean' ? undefined : `${got} Needed: true or false.`;
  if (rule === 'positive')
    return typeof value === 'number' && Number.isFinite(value) && value > 0
      ? undefined
      : `${got} Needed: a number above 0.`;
  const fits = Number.isInteger(value) && (value as number) >= rule.min && (value as number) <= rule.max;
  return fits ? undefined : `${got} Needed: a whole number from ${rule.min} to ${rule.max}.`;
}
