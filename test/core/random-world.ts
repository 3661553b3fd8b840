import type {
  AssistantMessage,
  Limits,
  Message,
  ModelReply,
  OpenAIToolCall,
  PlannedCall,
  RunInput,
  ToolOutcome,
} from '../../src/contract.ts';
import { defaultLimits } from '../../src/limits.ts';
import type { MessagePart } from '../../src/core/parts.ts';
import type { WaitingMessage } from '../../src/core/run.ts';
import type { Dice } from './dice.ts';

/** What a run meets: drawn once a run, so that some runs see little but blank replies and others little but calls. */
export interface Temper {
  replies: Record<'calls' | 'sameCalls' | 'blank' | 'answer' | 'cut' | 'refusal' | 'error', number>;
  modelFails: number;
  contextMissing: number;
  carryChance: number;
  messages: number;
  messageChance: number;
  cancelChance: number;
  timeUpChance: number;
}

export function randomTemper(dice: Dice): Temper {
  const weight = () => dice.fraction() ** 3;
  return {
    replies: {
      calls: 2 * weight(),
      sameCalls: weight(),
      blank: weight(),
      answer: weight() / 2,
      cut: weight(),
      refusal: weight() / 10,
      error: weight() / 40,
    },
    modelFails: dice.chance(0.3) ? dice.fraction() ** 3 : 0,
    contextMissing: dice.chance(0.3) ? dice.fraction() : 0,
    carryChance: dice.chance(0.4) ? dice.fraction() : 0,
    messages: dice.whole(0, 12),
    messageChance: dice.fraction() ** 2 / 2,
    cancelChance: dice.chance(0.15) ? dice.fraction() / 20 : 0,
    timeUpChance: dice.chance(0.2) ? dice.fraction() / 20 : 0,
  };
}

export function randomLimits(dice: Dice): Limits {
  return {
    ...defaultLimits,
    maxIterations: dice.whole(1, 8),
    maxEmptyRetries: dice.whole(0, 2),
    maxLengthRecoveries: dice.whole(0, 3),
    maxInjectionsPerDrain: dice.whole(1, 3),
    maxInjectionCycles: dice.whole(0, 3),
    finalizeAtCap: dice.chance(0.7),
    callsPerTurn: dice.whole(1, 6),
    ...(dice.chance(0.3) ? { callsPerRun: dice.whole(1, 8) } : {}),
    repeatWarnAt: dice.whole(1, 3),
    repeatRefuseAt: dice.whole(2, 4),
    repeatRoundsMax: dice.whole(1, 3),
    maxParallel: dice.whole(1, 4),
    ...(dice.chance(0.2) ? { maxTokens: dice.whole(2, 40) * 5 } : {}),
    ...(dice.chance(0.1) ? { maxCostUsd: dice.whole(1, 8) / 4 } : {}),
    timeoutMs: 60_000,
  };
}

/** A run may be announced; what it is about then comes in parts, see `randomInputParts`. */
export function randomInput(dice: Dice): RunInput {
  if (dice.chance(0.1)) return { version: 1, agent: 'simulated', input: [], inputId };
  const damaged: Message[] = [
    { role: 'tool', tool_call_id: 'stray', content: 'of nobody' },
    { role: 'user', content: 'earlier' },
    { role: 'assistant', content: null, tool_calls: [call('look', 'open', '{"n":1}')] },
    { role: 'system', content: 'of the input' },
  ];
  const earlier: Message[] = [
    { role: 'user', content: 'earlier' },
    { role: 'assistant', content: 'answered' },
  ];
  const input = dice.pick<RunInput['input']>([
    'question',
    'question',
    [{ type: 'text', text: 'question' }],
    '',
    damaged,
    earlier,
    'question',
    'question',
    [...earlier, { role: 'user', content: 'and now' }],
  ]);
  const keepOpenMs = dice.chance(0.6) ? { keepOpenMs: 1_000 } : {};
  return { version: 1, agent: 'simulated', input, ...keepOpenMs };
}

const inputId = 'input';

export function randomInputParts(dice: Dice): MessagePart[] {
  const content = tokenOf(inputId);
  const whole = dice.pick<object>([
    { content },
    { content: [{ type: 'text', text: content }] },
    { messages: [{ role: 'user', content }] },
  ]);
  return randomParts(dice, inputId, whole);
}

/** A message cut anywhere, its parts in any order; some come twice, and now and then the sender stops in the middle. */
export function randomParts(dice: Dice, id: string, message: object): MessagePart[] {
  const json = JSON.stringify({ ...message, id });
  const of = dice.whole(1, 4);
  const size = Math.ceil(json.length / of);
  const parts = Array.from({ length: of }, (_, i) => ({
    id,
    part: i + 1,
    of,
    text: json.slice(i * size, (i + 1) * size),
  }));
  const sent = parts.flatMap((part) => (dice.chance(0.1) ? [part, part] : [part]));
  const order = sent.map((part) => ({ part, at: dice.chance(0.7) ? part.part / 9 : dice.fraction() }));
  const sorted = order.sort((a, b) => a.at - b.at).map(({ part }) => part);
  return dice.chance(0.1) ? sorted.slice(0, -1) : sorted;
}

/** Text that finds its message again in the transcript. */
export const tokenOf = (id: string): string => `<${id}>`;

export function randomMessage(dice: Dice, n: number): WaitingMessage {
  const repeated = n > 1 && dice.chance(0.1);
  const id = `m${repeated ? dice.whole(1, n - 1) : n}`;
  const text = tokenOf(id);
  const image = { type: 'image_url', image_url: { url: 'data:,' } };
  const content = dice.chance(0.8) ? text : dice.pick([' ', [], [{ type: 'text' as const, text }, image]]);
  return { id, content, ...(dice.chance(0.2) ? { interrupt: true } : {}) };
}

/** `n` makes texts different, so that what belongs where can be told. */
export function randomReply(
  dice: Dice,
  temper: Temper,
  n: number,
): Pick<ModelReply, 'message' | 'finish' | 'plan' | 'usage'> {
  const usage = {
    requests: 1,
    failedRequests: dice.whole(0, 1),
    promptTokens: dice.whole(0, 4) * 5,
    completionTokens: dice.whole(0, 1) * 5,
    cachedTokens: dice.whole(0, 2),
    reasoningTokens: dice.whole(0, 2),
    estimated: dice.chance(0.1),
    ...(dice.chance(0.3) ? { costUsd: dice.whole(0, 2) / 4 } : {}),
  };
  const says = (content: AssistantMessage['content'], more: object = {}) =>
    ({ message: { role: 'assistant', content, ...more }, usage }) as const;
  const text = `a${n} `;
  switch (dice.weighted(temper.replies)) {
    case 'calls':
    case 'sameCalls':
      return randomCalls(dice, says(dice.pick([null, '', text])), temper);
    case 'blank':
      return {
        ...says(dice.pick([null, '', ' \n', []])),
        ...finish(dice.pick(['stop', 'other', undefined])),
      };
    case 'answer':
      return {
        ...says(text),
        ...finish(dice.pick(['stop', 'stop', 'tool_calls', 'other', 'content_filter'])),
      };
    case 'cut':
      return { ...says(dice.pick([text, text, '', null])), finish: 'length' };
    case 'refusal':
      return { ...says(dice.pick([null, text]), { refusal: `no ${n}` }), finish: 'refusal' };
    case 'error':
      return { ...says(dice.pick([null, `failure ${n}`])), finish: 'error' };
  }
}

const finish = (reason: ModelReply['finish']) => (reason === undefined ? {} : { finish: reason });

function randomCalls(
  dice: Dice,
  reply: Pick<ModelReply, 'message' | 'usage'>,
  temper: Temper,
): Pick<ModelReply, 'message' | 'finish' | 'plan' | 'usage'> {
  const same = dice.fraction() * (temper.replies.calls + temper.replies.sameCalls) < temper.replies.sameCalls;
  const drawn = Array.from({ length: same ? 1 : dice.whole(1, 4) }, (_, index) => {
    const name = same ? 'look' : dice.pick(['look', 'see', 'write', 'lok', 'constructor']);
    const args = `{"n":${same ? 0 : dice.whole(0, 3)}}`;
    return { wire: call(name, `c${index}`, args), plan: randomPlan(dice, name, args) };
  });
  const runs = dice.chance(0.9);
  return {
    ...reply,
    message: { ...reply.message, tool_calls: drawn.map(({ wire }) => wire) },
    plan: drawn.slice(0, dice.chance(0.02) ? 0 : drawn.length).map(({ plan }) => plan),
    ...finish(
      runs
        ? dice.pick(['stop', 'tool_calls', undefined])
        : dice.pick(['length', 'other', 'refusal', 'error']),
    ),
  };
}

function randomPlan(dice: Dice, name: string, args: string): PlannedCall {
  const hash = `${name} ${args}`;
  const refusal: ToolOutcome = { status: 'refused', class: 'general', text: `Error: ${hash} refused` };
  if (name === 'lok' || dice.chance(0.05)) return { hash, answer: refusal };
  return {
    hash,
    ...(name === 'write' ? {} : { safe: true }),
    ...(dice.chance(0.15) ? { writes: [dice.pick(['x', 'y'])] } : {}),
    ...(dice.chance(0.15) ? { reads: [dice.pick(['x', 'y'])] } : {}),
    ...(name === 'see' ? { callsPerTurn: 2, callsPerRun: 4 } : {}),
    ...(dice.chance(0.03) ? { approval: 'it deletes' } : {}),
  };
}

const call = (name: string, id: string, args: string): OpenAIToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

export function randomOutcome(dice: Dice, key: string): ToolOutcome {
  if (dice.chance(0.7)) return { status: 'ok', text: `result of ${key}` };
  if (dice.chance(0.5)) return { status: 'error', class: 'general', text: `Error: ${key} failed` };
  const violation = { class: 'soft_boundary' as const, target: '/etc' };
  return { status: 'refused', class: 'soft_boundary', text: `Error: ${key} outside`, violation };
}
