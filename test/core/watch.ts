import type { RunInput, Usage } from '../../src/contract.ts';
import type { Run, TurnEnd } from '../../src/core/run.ts';
import type { RunEvent } from '../../src/core/turn.ts';
import { holds } from './holds.ts';
import { WatchCaps } from './watch-caps.ts';
import { WatchMessages } from './watch-messages.ts';
import { WatchTranscript } from './watch-transcript.ts';

type Sums = Record<Exclude<keyof Usage, 'estimated'>, number>;

/**
 * What has to hold of a run after every event. It keeps accounts of its own from the events and reads from the run only
 * what it judges, so that a broken core can't talk it into anything.
 */
export class Watch {
  #transcript: WatchTranscript;
  #messages = new WatchMessages();
  #caps = new WatchCaps();
  #logged: number;
  #sums: Sums = {
    requests: 0,
    failedRequests: 0,
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    costUsd: 0,
  };

  constructor(input: RunInput, run: Run) {
    this.#transcript = new WatchTranscript(input);
    this.#logged = run.log.length;
  }

  check(before: Run, event: RunEvent, after: Run): void {
    this.#transcript.check(before, event, after);
    this.#log(before, after);
    this.#messages.check(before, event, after);
    this.#caps.check(before, event, after);
    this.#usage(before, event, after);
  }

  finished(run: Run, end: TurnEnd): void {
    this.#messages.finished(run);
    this.#caps.finished(run, end);
  }

  #log(before: Run, { log }: Run): void {
    holds(log.length >= before.log.length, 'log entries are gone');
    before.log.forEach((entry, index) => holds(log[index] === entry, `log entry ${index} has changed`));
    for (const { seq } of log.slice(before.log.length)) {
      this.#logged++;
      holds(seq === this.#logged, `log entry ${this.#logged} has seq ${seq}`);
    }
  }

  #usage(before: Run, event: RunEvent, { usage }: Run): void {
    const waited = before.turn?.phase.at === 'asking';
    const reply =
      event.kind === 'model-replied' ? event.reply : 'partial' in event && waited ? event.partial : undefined;
    if ('failedRequests' in event && waited) this.#sums.failedRequests += event.failedRequests ?? 0;
    for (const field of Object.keys(this.#sums) as (keyof Sums)[]) {
      this.#sums[field] += reply?.usage[field] ?? 0;
      const sum = this.#sums[field];
      holds((usage[field] ?? 0) === sum, `usage.${field} is ${usage[field]}, the replies make ${sum}`);
    }
  }
}
