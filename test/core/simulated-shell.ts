import { isDeepStrictEqual } from 'node:util';
import type { Message, ModelReply, RequestPurpose } from '../../src/contract.ts';
import type { Stop } from '../../src/core/after-stop.ts';
import type { MessagePart } from '../../src/core/parts.ts';
import type { Run } from '../../src/core/run.ts';
import type { RunEvent, Step } from '../../src/core/turn.ts';
import type { Core } from './core.ts';
import { Contexts } from './contexts.ts';
import { Dice } from './dice.ts';
import {
  randomInput,
  randomInputParts,
  randomLimits,
  randomMessage,
  randomOutcome,
  randomParts,
  randomReply,
  randomTemper,
  type Temper,
} from './random-world.ts';
import { Watch } from './watch.ts';

/** Events of one run beyond which it counts as one that never ends; the longest of 12,000 runs had 168. */
const eventsMax = 2_000;

type Happened = RunEvent extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never;

/** Plays the workflow: does each step and tells the core what happened, with all that chance may do in between. */
export class SimulatedShell {
  readonly events: RunEvent[] = [];
  readonly seen = new Set<string>();
  #core: Core;
  #dice: Dice;
  #temper: Temper;
  #run: Run;
  /** Is never carried, goes through JSON now and then, and has to get everywhere the other one gets. */
  #twin: Run;
  /** What the run left behind when it was carried. */
  #left: Message[] = [];
  #carries = 0;
  /** Parts of messages that are on their way. */
  #parts: MessagePart[] = [];
  #watch: Watch;
  #contexts = new Contexts();
  #sent = 0;
  #replies = 0;
  #cancelRequested = false;
  #timeIsUp = false;

  constructor(seed: number, core: Core) {
    this.#core = core;
    this.#dice = new Dice(seed);
    this.#temper = randomTemper(this.#dice);
    const input = randomInput(this.#dice);
    this.#run = core.newRun(input, 1, 0);
    this.#twin = core.newRun(input, 1, 0);
    if (input.inputId !== undefined) {
      this.#parts = randomInputParts(this.#dice);
      this.seen.add('input in parts');
    }
    this.#watch = new Watch(input, this.#run);
  }

  play(): void {
    for (;;) {
      this.#outside();
      this.#carry(this.#step());
      const step = this.#step();
      this.seen.add(step.kind === 'call-model' ? step.purpose : step.kind);
      switch (step.kind) {
        case 'open-turn':
          this.#openTurn();
          break;
        case 'call-model':
          this.#callModel(step);
          break;
        case 'load-context':
          throw new Error('a context is loaded in parts, though every message here is small');
        case 'run-calls':
          this.#runCalls(step);
          break;
        case 'wait':
          this.#wait();
          break;
        case 'finish':
          this.seen.add(step.end.stopReason);
          this.#outside();
          if (this.#step().kind !== 'finish') break;
          this.#compareTwin();
          return this.#watch.finished({ ...this.#run, transcript: this.#twin.transcript }, step.end);
      }
    }
  }

  /** The run goes on as a new one where the workflow would do that, with as much left behind as chance says. */
  #carry({ kind }: Step): void {
    if ((kind !== 'call-model' && kind !== 'wait') || !this.#dice.chance(this.#temper.carryChance)) return;
    if (!this.#core.mayCarry(this.#run) || this.#stopWanted() !== undefined) return;
    const at = this.events.length;
    const inlineBytesMax = this.#dice.chance(0.5) ? this.#dice.whole(0, 600) : 600_000;
    const before = this.#run;
    const state = this.#core.carried(before, `run-${++this.#carries}`, at, inlineBytesMax);
    this.#run = this.#core.restored(JSON.parse(JSON.stringify(state)));
    this.seen.add('carried');
    const left = before.transcript.slice(0, (this.#run.dropped ?? 0) - (before.dropped ?? 0));
    this.#left.push(...left.map(({ message }) => message));
    if (left.length > 0) this.seen.add('left behind');
  }

  trace(seed: number): string {
    const lines = this.events.map((event, index) => `  ${index + 1} ${JSON.stringify(event)}`);
    return `${lines.join('\n')}\nseed ${seed}: SEED=${seed} npm test -- --testPathPatterns simulator plays it again`;
  }

  #step(): Step {
    return this.#core.nextStep(this.#run);
  }

  #happens(happened: Happened): void {
    const event = { ...happened, at: this.events.length + 1 } as RunEvent;
    this.events.push(event);
    if (this.events.length > eventsMax) throw new Error(`the run has not ended after ${eventsMax} events`);
    const before = this.#run;
    this.#run = this.#core.apply(before, event);
    if (this.#dice.chance(0.05)) this.#throughJson();
    this.#twin = this.#core.apply(this.#twin, event);
    this.#watch.check(before, event, this.#run);
  }

  #throughJson(): void {
    const copy = JSON.parse(JSON.stringify(this.#twin)) as Run;
    if (!isDeepStrictEqual(copy, this.#twin)) throw new Error('the run does not survive JSON');
    this.#twin = copy;
  }

  #compareTwin(): void {
    if (this.#carries === 0) {
      if (isDeepStrictEqual(this.#twin, this.#run)) return;
      throw new Error('the run that went through JSON on its way is another one at its end');
    }
    const differing = (Object.keys({ ...this.#run, ...this.#twin }) as (keyof Run)[]).find((field) => {
      // The instructions may have been recorded once more, where the run has left them behind.
      if (field === 'before' || field === 'dropped' || field === 'digest') return false;
      if (field === 'transcript') return !isDeepStrictEqual(messagesOf(this.#twin), this.#messages());
      if (field === 'log')
        return !isDeepStrictEqual(this.#twin.log.slice(-this.#run.log.length), this.#run.log);
      return !isDeepStrictEqual(this.#twin[field], this.#run[field]);
    });
    if (differing === undefined) return;
    throw new Error(`the run that was carried on its way has another ${differing} at its end`);
  }

  /** The conversation, with what earlier runs of the chain have kept. */
  #messages(): Message[] {
    return [...this.#left, ...messagesOf(this.#run)];
  }

  /** What can happen between any two events: a message, a cancel, the end of the time. */
  #outside(): void {
    while (this.#sent < this.#temper.messages && this.#dice.chance(this.#temper.messageChance)) {
      this.#sent++;
      const message = randomMessage(this.#dice, this.#sent);
      if (this.#dice.chance(0.8)) this.#happens({ kind: 'message-received', message });
      else this.#parts.push(...randomParts(this.#dice, message.id, message));
    }
    while (this.#parts.length > 0 && this.#dice.chance(0.5)) {
      const part = this.#parts.shift()!;
      this.#happens({ kind: 'part-received', part });
      this.seen.add('message in parts');
    }
    this.#cancelRequested ||= this.#dice.chance(this.#temper.cancelChance);
    this.#timeIsUp ||= this.#dice.chance(this.#temper.timeUpChance);
  }

  /** Why the shell has to end what is in flight, if it has to. */
  #stopWanted(): Stop | undefined {
    if (this.#cancelRequested && !this.#run.cancelled) return 'cancelled';
    if (this.#timeIsUp && !this.#run.timeUp) return 'time-up';
    return this.#core.wantsInterrupt(this.#run) ? 'interrupted' : undefined;
  }

  #openTurn(): void {
    this.#outside();
    const stop = this.#stopWanted();
    if (stop === 'cancelled' || (stop === 'time-up' && this.#dice.chance(0.5)))
      return this.#happens({ kind: stop });
    const first = this.#run.limits === undefined;
    const digest = `d${this.events.length}`;
    if (this.#dice.chance(0.02)) {
      const error = { type: 'unknown_agent', message: 'no such agent' };
      return this.#happens({ kind: 'turn-opened', opened: { digest: '', error } });
    }
    const limits = first || this.#dice.chance(0.2) ? { limits: randomLimits(this.#dice) } : {};
    const instructions = first || this.#dice.chance(0.2) ? { instructions: `be ${digest}` } : {};
    this.#happens({ kind: 'turn-opened', opened: { digest, ...limits, ...instructions } });
  }

  #callModel(step: Extract<Step, { kind: 'call-model' }>): void {
    const before = this.#stopWanted();
    if (before !== undefined) return this.#stops(before);
    if (step.base?.id === '') this.seen.add('asked without its beginning');
    const asked = this.#contexts.resolve(step, this.#messages());
    this.#happens({ kind: 'model-called' });
    this.#outside();
    const stop = this.#stopWanted();
    if (stop !== undefined) {
      const how = this.#dice.pick(['nothing', 'partly', 'too late', 'failed']);
      if (how === 'nothing') return this.#stops(stop);
      if (how === 'failed') return this.#happens({ kind: stop, failedRequests: this.#dice.whole(1, 3) });
      const reply = this.#reply(asked, step.purpose);
      if (how === 'partly') return this.#stops(stop, { ...reply, interrupted: true });
      return this.#happens({ kind: 'model-replied', reply });
    }
    if (step.base !== undefined && this.#dice.chance(this.#temper.contextMissing)) {
      return this.#happens({ kind: 'context-missing' });
    }
    if (this.#dice.chance(this.#temper.modelFails)) {
      const error = { type: 'model_unreachable', message: 'no answer' };
      return this.#happens({ kind: 'model-failed', error, failedRequests: this.#dice.whole(0, 3) });
    }
    this.#happens({ kind: 'model-replied', reply: this.#reply(asked, step.purpose) });
  }

  #reply(asked: Message[], purpose: RequestPurpose): ModelReply {
    const { plan, ...reply } = randomReply(this.#dice, this.#temper, ++this.#replies);
    // A finalization request has no tools, so nothing plans the calls of its reply.
    const planned = plan !== undefined && purpose === 'reply' ? { plan } : {};
    return { ...reply, ...planned, ...this.#contexts.keep(asked, reply.message) };
  }

  #runCalls({ calls, waitsFor }: Extract<Step, { kind: 'run-calls' }>): void {
    const before = this.#stopWanted();
    if (before !== undefined) return this.#stops(before);
    const places = this.#run.limits?.maxParallel ?? 1;
    const settled = new Set(calls.filter((call) => call.outcome).map((call) => call.index));
    const running = new Set<number>();
    let grace: number | undefined;
    while (settled.size < calls.length) {
      this.#outside();
      const stop = this.#stopWanted();
      if (stop !== undefined) {
        // What is stopped has a moment to say what it did.
        grace ??= this.#dice.whole(0, 3);
        if (grace-- <= 0 || running.size === 0) return this.#stops(stop);
      }
      const ready = calls.filter(
        ({ index }) =>
          !settled.has(index) &&
          !running.has(index) &&
          running.size < places &&
          (waitsFor[index] ?? []).every((other) => settled.has(other)),
      );
      if (stop === undefined && ready.length > 0 && (running.size === 0 || this.#dice.chance(0.5))) {
        const { index } = this.#dice.pick(ready);
        running.add(index);
        this.#happens({ kind: 'call-started', index });
        continue;
      }
      if (running.size === 0) throw new Error('calls wait for each other: none is ready, none is running');
      const index = this.#dice.pick([...running]);
      running.delete(index);
      settled.add(index);
      this.#settles(index, calls[index]?.key ?? '');
    }
    const late = this.#stopWanted();
    if (grace !== undefined && late !== undefined && late !== 'interrupted') this.#stops(late);
  }

  #settles(index: number, key: string): void {
    const outcome = randomOutcome(this.#dice, key);
    const recorded = this.#dice.chance(0.8);
    if (recorded) this.#contexts.record(key, outcome);
    this.#happens({ kind: 'call-settled', index, outcome, recorded });
    if (this.#dice.chance(0.05)) {
      this.#happens({ kind: 'call-settled', index, outcome: { status: 'ok', text: 'a second outcome' } });
    }
  }

  #stops(kind: Stop, partial?: ModelReply): void {
    this.seen.add(kind);
    this.#happens(partial === undefined ? { kind } : { kind, partial });
  }

  #wait(): void {
    this.#outside();
    const stop = this.#stopWanted();
    if (stop !== undefined) return this.#stops(stop);
    if (this.#dice.chance(0.2)) this.#happens({ kind: 'waited-out' });
  }
}

const messagesOf = ({ transcript }: Run): Message[] => transcript.map(({ message }) => message);
