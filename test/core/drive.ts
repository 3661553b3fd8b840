import type {
  Limits,
  Message,
  ModelReply,
  OpenedTurn,
  PlannedCall,
  RunError,
  RunInput,
  ToolOutcome,
} from '../../src/contract.ts';
import type { Stop } from '../../src/core/after-stop.ts';
import { textOf } from '../../src/core/reply.ts';
import { newRun, type Run, type TurnEnd, type WaitingMessage } from '../../src/core/run.ts';
import { apply, nextStep, type RunEvent, type Step } from '../../src/core/turn.ts';
import { defaultLimits } from '../../src/limits.ts';

/** A call in a scripted reply: just a tool's name, or with what the plan says about it. The hash is name and arguments. */
export type ScriptedCall =
  string | ({ name: string; id?: string; arguments?: string } & Partial<PlannedCall>);

export interface Scripted extends Partial<Omit<ModelReply, 'message'>> {
  text?: string | null;
  calls?: ScriptedCall[];
  refusal?: string;
  tokens?: number;
}

/** A model's reply from a few words. Its ids of contexts are made up: nothing here resolves them. */
export function reply(scripted: string | Scripted): ModelReply {
  const { text, calls, refusal, tokens, ...rest } =
    typeof scripted === 'string' ? { text: scripted } : scripted;
  const planned = (calls ?? []).map((call, index) => {
    const { name, id, arguments: args, ...plan } = typeof call === 'string' ? { name: call } : call;
    const wire = { name, arguments: args ?? '{}' };
    return {
      call: { id: id ?? `${name}-${index}`, type: 'function' as const, function: wire },
      plan: { hash: `${name} ${wire.arguments}`, safe: true, ...plan },
    };
  });
  return {
    message: {
      role: 'assistant',
      content: text ?? null,
      ...(planned.length === 0 ? {} : { tool_calls: planned.map(({ call }) => call) }),
      ...(refusal === undefined ? {} : { refusal }),
    },
    ...(planned.length === 0 ? {} : { plan: planned.map(({ plan }) => plan) }),
    asked: 'asked',
    context: { id: 'context', entries: 0 },
    usage: {
      requests: 1,
      failedRequests: 0,
      promptTokens: tokens ?? 10,
      completionTokens: 0,
      cachedTokens: 0,
      reasoningTokens: 0,
      estimated: false,
    },
    ...rest,
  };
}

export const ok = (text: string): ToolOutcome => ({ status: 'ok', text });

/** Plays the shell by hand: each method is one event, or a few that belong together. */
export class Drive {
  run: Run;
  #at = 0;

  constructor(input: RunInput['input'], options: Omit<Partial<RunInput>, 'input'> = {}) {
    this.run = newRun({ version: 1, agent: 'tester', input, ...options }, 1, 0);
  }

  get step(): Step {
    return nextStep(this.run);
  }

  /** Kind of the next step; of a request its purpose. */
  get next(): string {
    const { step } = this;
    return step.kind === 'call-model' ? step.purpose : step.kind;
  }

  get end(): TurnEnd {
    const { step } = this;
    if (step.kind !== 'finish') throw new Error(`the run goes on with ${step.kind}`);
    return step.end;
  }

  /** How the turns ended so far, oldest first. */
  get ends(): string[] {
    return this.run.log.flatMap((entry) => (entry.kind === 'turn-ended' ? entry.stopReason : []));
  }

  /** The transcript, a line a message. */
  get lines(): string[] {
    return this.run.transcript.map((entry) => line(entry.message));
  }

  on(event: RunEvent extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never): this {
    this.#at++;
    this.run = apply(this.run, { ...event, at: this.#at } as RunEvent);
    return this;
  }

  opens(limits: Partial<Limits> = {}, opened: Partial<OpenedTurn> = {}): this {
    return this.on({
      kind: 'turn-opened',
      opened: { digest: 'd', limits: { ...defaultLimits, ...limits }, ...opened },
    });
  }

  replies(...scripted: (string | Scripted)[]): this {
    for (const one of scripted) {
      if (this.step.kind !== 'call-model') throw new Error(`no request is out: ${this.step.kind}`);
      this.on({ kind: 'model-called' }).on({ kind: 'model-replied', reply: reply(one) });
    }
    return this;
  }

  fails(error: RunError = { type: 'model_unreachable', message: 'no answer for an hour' }): this {
    return this.on({ kind: 'model-failed', error, failedRequests: 2 });
  }

  settles(index: number, outcome: ToolOutcome = ok(`result ${index}`)): this {
    return this.on({ kind: 'call-started', index }).on({
      kind: 'call-settled',
      index,
      outcome,
      recorded: true,
    });
  }

  /** A reply that calls one tool, and that call's result. */
  round(call: ScriptedCall = 'look', outcome?: ToolOutcome): this {
    this.replies({ calls: [call] });
    return this.step.kind === 'run-calls' ? this.settles(0, outcome) : this;
  }

  message(id: string, more: Partial<WaitingMessage> = {}): this {
    return this.on({ kind: 'message-received', message: { id, content: id, ...more } });
  }

  stops(kind: Stop, partial?: string | Scripted): this {
    if (partial === undefined) return this.on({ kind });
    return this.on({ kind, partial: { ...reply(partial), interrupted: true } });
  }
}

/** A run whose first turn is opened: its first request is out. */
export const started = (
  limits: Partial<Limits> = {},
  options: Omit<Partial<RunInput>, 'input'> = {},
): Drive => new Drive('question', options).opens(limits);

function line(message: Message): string {
  if (message.role === 'tool') return `tool ${message.tool_call_id}: ${textOf(message.content)}`;
  if (message.role !== 'assistant') return `${message.role}: ${textOf(message.content)}`;
  if (message.placeholder) return 'placeholder';
  const calls = (message.tool_calls ?? []).map((call) => ` [${call.function.name}]`).join('');
  return `assistant: ${textOf(message.content)}${calls}`;
}
