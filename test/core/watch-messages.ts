import type { Limits } from '../../src/contract.ts';
import { isBlankContent } from '../../src/core/inbox.ts';
import type { MessagePart } from '../../src/core/parts.ts';
import { textOf } from '../../src/core/reply.ts';
import type { LogEntry } from '../../src/core/log.ts';
import type { Run, WaitingMessage } from '../../src/core/run.ts';
import type { RunEvent } from '../../src/core/turn.ts';
import { tokenOf } from './random-world.ts';
import { holds } from './holds.ts';

/** No message is lost or doubled, all are taken in arrival order, and drains keep to their caps and places. */
export class WatchMessages {
  #accepted: WaitingMessage[] = [];
  #ids = new Set<string>();
  #parts = new Map<string, (string | undefined)[]>();
  #taken: string[] = [];
  #takenByTurn = new Map<number, string[]>();
  #limits: Limits | undefined;
  #cycles = 0;
  #requests = 0;

  check(before: Run, event: RunEvent, after: Run): void {
    if (event.kind === 'message-received') this.#received(event.message, before);
    if (event.kind === 'part-received') this.#receivedPart(event.part, before);
    if (event.kind === 'turn-opened') this.#limits = event.opened.limits ?? this.#limits;
    if (event.kind === 'model-called') this.#requests++;
    for (const entry of after.log.slice(before.log.length)) this.#logged(entry, after);
    const known = [...this.#taken, ...after.inbox.waiting.map(({ id }) => id)];
    const accepted = this.#accepted.map(({ id }) => id);
    holds(
      known.join() === accepted.join(),
      `messages ${accepted.join()} came in, the run knows ${known.join()}`,
    );
    const { turn } = after;
    const ofTurn = this.#takenByTurn.get(turn?.n ?? 0) ?? [];
    holds(
      turn === undefined || turn.messageIds.join() === ofTurn.join(),
      `turn ${turn?.n} answers ${turn?.messageIds.join()}, it took ${ofTurn.join()}`,
    );
    const between = turn === undefined || turn.phase.at === 'ended';
    holds(
      !between || after.cancelled === true || after.inputId !== undefined || after.inbox.waiting.length === 0,
      'messages wait, but no turn starts',
    );
  }

  finished({ transcript }: Run): void {
    const texts = transcript.flatMap(({ message }) =>
      message.role === 'user' ? textOf(message.content) : [],
    );
    for (const id of this.#taken) {
      const times = texts.join('\n').split(tokenOf(id)).length - 1;
      holds(times === 1, `message ${id} stands ${times} times in the transcript`);
    }
  }

  /** What the run was announced with comes first, whatever has arrived meanwhile. */
  #received(message: WaitingMessage & { messages?: unknown }, before: Run): void {
    const isInput = message.id === before.inputId;
    if (this.#ids.has(message.id) || (!isInput && isBlankContent(message.content))) return;
    this.#ids.add(message.id);
    if (isInput) this.#accepted.unshift(message);
    else this.#accepted.push(message);
  }

  #receivedPart({ id, part, of, text }: MessagePart, before: Run): void {
    if (this.#ids.has(id)) return;
    const texts = this.#parts.get(id) ?? Array<undefined>(of).fill(undefined);
    texts[part - 1] ??= text;
    this.#parts.set(id, texts);
    if (texts.includes(undefined)) return;
    this.#parts.delete(id);
    this.#received(JSON.parse(texts.join('')) as WaitingMessage, before);
  }

  #logged(entry: LogEntry, after: Run): void {
    if (entry.kind !== 'turn-started' && entry.kind !== 'messages-taken') return;
    const ids = entry.messageIds;
    const taken = this.#accepted.slice(this.#taken.length, this.#taken.length + ids.length);
    const interrupting = taken.findLastIndex((one) => one.interrupt) + 1;
    if (entry.kind === 'turn-started') {
      this.#cycles = 0;
      this.#requests = 0;
      capped(ids, Math.max(this.#limits?.maxInjectionsPerDrain ?? 3, interrupting));
    } else {
      this.#cycles++;
      const limits = this.#limits;
      holds(limits !== undefined, 'messages are taken into a turn that was never opened');
      holds(
        interrupting > 0 || this.#cycles <= limits.maxInjectionCycles,
        `drain ${this.#cycles} of the turn`,
      );
      holds(interrupting > 0 || this.#requests > 0, 'messages are taken before the first request');
      holds(
        (after.turn?.iteration ?? 0) <= limits.maxIterations,
        'messages are taken without an iteration left',
      );
      capped(ids, Math.max(limits.maxInjectionsPerDrain, interrupting));
    }
    this.#taken.push(...ids);
    this.#takenByTurn.set(entry.turn, [...(this.#takenByTurn.get(entry.turn) ?? []), ...ids]);
  }
}

/** What interrupts is taken with all that came before it. */
function capped(ids: string[], max: number): void {
  holds(ids.length <= max, `a drain has taken ${ids.length} messages, ${max} are allowed`);
}
