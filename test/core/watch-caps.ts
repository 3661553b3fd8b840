import type { Limits, ModelReply, OpenAIToolCall, RequestPurpose } from '../../src/contract.ts';
import { isBlank, replyText } from '../../src/core/reply.ts';
import type { Run, TurnEnd } from '../../src/core/run.ts';
import type { RunEvent } from '../../src/core/turn.ts';
import { holds } from './holds.ts';

type Counts = Map<string, number>;
const count = (counts: Counts, name: string): number => {
  const next = (counts.get(name) ?? 0) + 1;
  counts.set(name, next);
  return next;
};

/** Calls that a plan says nothing about are identical when the model wrote the same. */
const wireHash = (call: OpenAIToolCall): string => `${call.function.name} ${call.function.arguments}`;

/** What is counted within a turn. */
const newTurn = (n: number) => ({
  n,
  requests: new Map() as Counts,
  blanks: 0,
  cuts: 0,
  repeatRounds: 0,
  interrupted: false,
  startsByTool: new Map() as Counts,
  callsByHash: new Map() as Counts,
});

/** The caps of turn-semantics §1, counted from the events alone. */
export class WatchCaps {
  #limits: Limits | undefined;
  #turn = newTurn(0);
  #startsByTool: Counts = new Map();
  #keys = new Set<string>();
  #running = new Set<number>();
  #budgetRequests = 0;
  #tokens = 0;
  #cost = 0;

  check(before: Run, event: RunEvent, after: Run): void {
    const { phase } = before.turn ?? {};
    if (event.kind === 'turn-opened') this.#limits = event.opened.limits ?? this.#limits;
    if (event.kind === 'model-called' && phase?.at === 'asking') this.#asked(phase.purpose);
    if (event.kind === 'context-missing' && phase?.at === 'asking') this.#unasked(phase.purpose);
    if (event.kind === 'model-replied' && phase?.at === 'asking') this.#replied(event.reply, phase.purpose);
    if ('partial' in event && event.partial) this.#spent(event.partial);
    if (event.kind === 'interrupted') this.#turn.interrupted = true;
    if (event.kind === 'call-started') this.#started(before, event.index);
    if (event.kind === 'call-settled') this.#running.delete(event.index);
    if (after.turn?.phase.at !== 'running') this.#running.clear();
    const fresh = after.log.slice(before.log.length);
    for (const entry of fresh) {
      if (entry.kind === 'turn-ended') this.#ended(entry.stopReason, before, after);
      if (entry.kind === 'messages-taken') Object.assign(this.#turn, { blanks: 0, cuts: 0 });
      if (entry.kind === 'turn-started') {
        holds(entry.turn >= this.#turn.n, `turn ${entry.turn} starts behind turn ${this.#turn.n}`);
        this.#turn = newTurn(entry.turn);
      }
    }
  }

  finished(run: Run, end: TurnEnd): void {
    holds((end.stopReason === 'cancelled') === (run.cancelled === true), `a run ends as ${end.stopReason}`);
  }

  get #recorded(): Limits {
    holds(this.#limits !== undefined, 'a request is out before any limits are recorded');
    return this.#limits;
  }

  #asked(purpose: RequestPurpose): void {
    const limits = this.#recorded;
    const turn = this.#turn;
    const times = count(turn.requests, purpose);
    if (purpose !== 'finalize-budget') holds(!this.#usedUp(), `${purpose} is asked with the budget used up`);
    switch (purpose) {
      case 'reply':
        holds(
          times <= limits.maxIterations,
          `request ${times} of a turn, ${limits.maxIterations} are allowed`,
        );
        holds(turn.blanks <= limits.maxEmptyRetries, `a retry behind ${turn.blanks} blank replies`);
        holds(turn.cuts <= limits.maxLengthRecoveries, `a recovery behind ${turn.cuts} cut replies`);
        holds(turn.interrupted || turn.repeatRounds < limits.repeatRoundsMax, 'a loop of repeats goes on');
        break;
      case 'finalize-blank':
        holds(turn.blanks === limits.maxEmptyRetries + 1, `finalized behind ${turn.blanks} blank replies`);
        break;
      case 'finalize-cap':
        holds(times === 1 && limits.finalizeAtCap, `finalization ${times} at the iteration cap`);
        break;
      case 'finalize-loop':
        holds(turn.repeatRounds >= limits.repeatRoundsMax, `a loop of ${turn.repeatRounds} repeats`);
        break;
      case 'finalize-budget':
        holds(++this.#budgetRequests === 1, 'a second finalization at the end of the budget');
    }
  }

  #unasked(purpose: RequestPurpose): void {
    this.#turn.requests.set(purpose, (this.#turn.requests.get(purpose) ?? 0) - 1);
    if (purpose === 'finalize-budget') this.#budgetRequests--;
  }

  #replied(reply: ModelReply, purpose: RequestPurpose): void {
    this.#spent(reply);
    if (purpose !== 'reply') return;
    const turn = this.#turn;
    const calls = reply.message.tool_calls ?? [];
    const finish = reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    const runs = calls.length > 0 && (finish === 'tool_calls' || finish === 'stop');
    const refused = calls.map(
      (call, index) => runs && this.#isRepeat(reply.plan?.[index]?.hash ?? wireHash(call)),
    );
    turn.repeatRounds = runs && refused.every(Boolean) ? turn.repeatRounds + 1 : 0;
    const blank =
      !runs && ['tool_calls', 'stop', 'other'].includes(finish) && isBlank(replyText(reply.message));
    turn.blanks = blank ? turn.blanks + 1 : 0;
    if (runs) turn.cuts = 0;
    if (finish === 'length') turn.cuts++;
  }

  #isRepeat(hash: string): boolean {
    return count(this.#turn.callsByHash, hash) >= this.#recorded.repeatRefuseAt;
  }

  #started(run: Run, index: number): void {
    const { phase } = run.turn ?? {};
    const call = phase?.at === 'running' ? phase.calls[index] : undefined;
    holds(call !== undefined && phase?.at === 'running', `call ${index} starts outside a round`);
    const { name, key } = call;
    holds(!call.answer && !call.approval && !call.outcome, `call ${key} runs though it has its answer`);
    holds(!this.#keys.has(key), `two calls have the key ${key}`);
    this.#keys.add(key);
    const others = [...this.#running].map((other) => phase.calls[other]!);
    const alone = [call, ...others].some((one) => !one.safe && !one.reads && !one.writes);
    holds(!alone || others.length === 0, `call ${key} overlaps though it or another is not safe`);
    this.#running.add(index);
    const limits = this.#recorded;
    const inTurn = count(this.#turn.startsByTool, name);
    const inRun = count(this.#startsByTool, name);
    holds(inTurn <= (call.callsPerTurn ?? limits.callsPerTurn), `call ${inTurn} of ${name} in a turn`);
    holds(
      inRun <= (call.callsPerRun ?? limits.callsPerRun ?? Infinity),
      `call ${inRun} of ${name} in the run`,
    );
    const identical = this.#turn.callsByHash.get(call.hash) ?? 0;
    const before = phase.calls.slice(index + 1).filter((later) => later.hash === call.hash).length;
    holds(identical - before < limits.repeatRefuseAt, `identical call ${identical - before} runs`);
    holds(!this.#usedUp(), `call ${key} runs with the budget used up`);
  }

  #ended(stopReason: TurnEnd['stopReason'], before: Run, after: Run): void {
    const limits = this.#limits;
    if (stopReason === 'max_iterations') {
      holds(before.turn?.iteration === limits?.maxIterations, 'max_iterations with iterations left');
    }
    if (stopReason === 'budget') holds(this.#usedUp() || after.timeUp === true, 'budget with budget left');
    if (stopReason === 'loop')
      holds(this.#turn.repeatRounds >= (limits?.repeatRoundsMax ?? 1), 'loop without one');
    if (stopReason === 'cancelled') holds(after.cancelled === true, 'cancelled though nobody cancelled');
  }

  #spent({ usage }: ModelReply): void {
    this.#tokens += (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
    this.#cost += usage.costUsd ?? 0;
  }

  /** Tokens or money; the time is up by an event. */
  #usedUp(): boolean {
    const { maxTokens = Infinity, maxCostUsd = Infinity } = this.#limits ?? {};
    return this.#tokens >= maxTokens || this.#cost >= maxCostUsd;
  }
}
