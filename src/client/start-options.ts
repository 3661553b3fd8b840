import { WorkflowIdReusePolicy } from '@temporalio/client';
import type { ContentPart, Limits, Message, RunInput } from '../contract.ts';
import { jsonBytes } from '../core/json-bytes.ts';
import { clientLimits } from '../limits.ts';
import { defaultTaskQueue } from '../temporal-config.ts';

export interface StartOptions {
  /** Workflow id. Default: the agent's name and a random id. */
  id?: string;
  /**
   * Whether the id of a run that has ended may be used again: `allow`, `reject`, or `after-failure` (when it failed, was
   * cancelled, terminated or timed out). Default: `allow`. The id of a run that is under way never may.
   */
  idReuse?: IdReuse;
  /** How long to wait for the next message after a turn, in ms. Default 0: the run ends when none waits. */
  keepOpenMs?: number;
  limits?: Partial<Limits>;
  /** Goes before the agent's model. */
  model?: string;
  /** For the agent's instructions, and shown by `describe`. At most 32 KB as JSON. */
  metadata?: Record<string, string>;
  /** Default: the beginning of the input. Shown in the Temporal UI. */
  title?: string;
  /** Default: `turnloop`. */
  taskQueue?: string;
}

export type IdReuse = 'allow' | 'reject' | 'after-failure';

const reusePolicies = {
  allow: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
  reject: WorkflowIdReusePolicy.REJECT_DUPLICATE,
  'after-failure': WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
} as const;

/** What Temporal starts the workflow with. @throws TypeError that names an option that is wrong */
export function workflowOptions(
  agent: string,
  id: string,
  given: Pick<RunInput, 'input' | 'inputId'>,
  options: StartOptions & { title: string },
) {
  const { idReuse = 'allow', title, limits, model, keepOpenMs, metadata } = options;
  if (typeof agent !== 'string' || agent === '')
    throw new TypeError(`agent is ${JSON.stringify(agent)}: give the name of an agent of the worker`);
  if (!Object.hasOwn(reusePolicies, idReuse)) {
    throw new TypeError(
      `idReuse is ${JSON.stringify(idReuse)}: give one of ${Object.keys(reusePolicies).join(', ')}`,
    );
  }
  if (jsonBytes(metadata ?? {}) > clientLimits.metadataBytesMax) {
    throw new TypeError(
      `metadata has ${jsonBytes(metadata)} bytes as JSON, at most ${clientLimits.metadataBytesMax} can be kept with a run: ` +
        'give references instead of contents',
    );
  }
  const input: RunInput = {
    version: 1,
    agent,
    ...given,
    ...(limits === undefined ? {} : { limits }),
    ...(model === undefined ? {} : { model }),
    ...(keepOpenMs === undefined ? {} : { keepOpenMs }),
    ...(metadata === undefined ? {} : { metadata }),
    title,
  };
  return {
    workflowId: id,
    taskQueue: options.taskQueue ?? defaultTaskQueue,
    args: [input] as [RunInput],
    staticSummary: title,
    memo: {
      'turnloop.title': title,
      'turnloop.agent': agent,
      ...(metadata === undefined ? {} : { 'turnloop.metadata': metadata }),
    },
    workflowIdReusePolicy: reusePolicies[idReuse],
    // With 10 s, Temporal's default, a task that a worker died with would stall its run for as long.
    workflowTaskTimeout: '5s' as const,
  };
}

/** Temporal takes 200 bytes; so many code points fit in any script. */
const titleCharsMax = 48;

/** The beginning of a run's input, in one line. */
export function titleOf(input: string | ContentPart[] | Message[]): string {
  const text = typeof input === 'string' ? input : lastText(input);
  const chars = Array.from(text.slice(0, 1_000).replace(/\s+/gu, ' ').trim());
  return chars.length <= titleCharsMax ? chars.join('') : `${chars.slice(0, titleCharsMax - 1).join('')}…`;
}

function lastText(input: (ContentPart | Message)[]): string {
  const last = input.at(-1);
  if (last === undefined) return '';
  if ('role' in last) return typeof last.content === 'string' ? last.content : '';
  return last.type === 'text' ? String(last.text) : '';
}
