import type { Limits } from '../../src/contract.ts';
import type { Entry, Run } from '../../src/core/run.ts';
import type { RunEvent } from '../../src/core/turn.ts';
import type { Core } from './core.ts';

/** Cores with one defect each: what is wrong with it, and which objection of the simulator has to find it. */
export const brokenCores: [it: string, finds: RegExp, from: (core: Core) => Core][] = [
  [
    'drops a waiting message',
    /messages .* came in, the run knows/,
    behind((_, event, after) =>
      event.kind === 'message-received' && after.inbox.waiting.length > 1
        ? { ...after, inbox: { ...after.inbox, waiting: after.inbox.waiting.slice(1) } }
        : after,
    ),
  ],
  [
    'drops the messages that wait when a turn ends',
    /messages .* came in, the run knows/,
    before((run) =>
      run.turn?.phase.at === 'asking' && run.turn.phase.purpose === 'finalize-cap'
        ? { ...run, inbox: { ...run.inbox, waiting: [] } }
        : run,
    ),
  ],
  [
    'takes the same id twice',
    /messages .* came in, the run knows/,
    before((run) => ({ ...run, inbox: { ...run.inbox, seen: [] } })),
  ],
  [
    'drains between calls and results',
    /a user message stands between calls and results/,
    behind((_, event, after) => {
      const [first, ...rest] = after.inbox.waiting;
      if (event.kind !== 'call-settled' || after.turn?.phase.at !== 'running' || !first) return after;
      const message = { role: 'user' as const, content: first.content };
      return withEntries({ ...after, inbox: { ...after.inbox, waiting: rest } }, [
        ...after.transcript,
        { message },
      ]);
    }),
  ],
  [
    'doubles a message',
    /stands 2 times in the transcript/,
    behind((start, _, after) => {
      const last = after.transcript.at(-1);
      const grew = after.transcript.length > start.transcript.length;
      return grew && last?.message.role === 'user' ? withEntries(after, [...after.transcript, last]) : after;
    }),
  ],
  [
    'forgets one tool result',
    /a result of .* stands where one of .* belongs|calls have no results/,
    behind((start, _, after) =>
      results(start, after).length > 1
        ? withEntries(
            after,
            after.transcript.filter((entry) => entry !== results(start, after)[0]),
          )
        : after,
    ),
  ],
  [
    'puts results in another order',
    /a result of .* stands where one of .* belongs/,
    behind((start, _, after) => {
      const made = results(start, after);
      const rest = after.transcript.slice(start.transcript.length + made.length);
      return made.length > 1
        ? withEntries(after, [...start.transcript, ...made.toReversed(), ...rest])
        : after;
    }),
  ],
  [
    'loses the note in the reference to a result',
    /the request and the transcript differ/,
    behind((_, __, after) =>
      withEntries(
        after,
        after.transcript.map((entry) =>
          entry.result?.note === undefined
            ? entry
            : { ...entry, result: { ref: entry.result.ref, id: entry.result.id } },
        ),
      ),
    ),
  ],
  [
    'sets the base one too far',
    /the base says/,
    behind((start, _, after) =>
      after.base && after.base !== start.base
        ? { ...after, base: { ...after.base, entries: after.base.entries + 1 } }
        : after,
    ),
  ],
  [
    'keeps the base when the context is missing',
    /the base says/,
    behind((start, event, after) =>
      event.kind === 'context-missing' && start.base
        ? { ...after, base: { ...start.base, entries: 0 } }
        : after,
    ),
  ],
  [
    'changes what the transcript holds',
    /message 0 of the transcript has changed/,
    behind((start, event, after) =>
      event.kind === 'interrupted' ? withEntries(after, [...after.transcript.slice(1)]) : after,
    ),
  ],
  [
    'leaves a gap in the log',
    /log entry .* has seq 0/,
    behind((start, event, after) =>
      event.kind === 'model-failed'
        ? { ...after, log: after.log.with(-1, { ...after.log.at(-1)!, seq: 0 }) }
        : after,
    ),
  ],
  [
    'does not count what a stopped request cost',
    /usage.requests is/,
    behind((start, event, after) => ('partial' in event ? { ...after, usage: start.usage } : after)),
  ],
  [
    'keeps something that JSON drops',
    /does not survive JSON/,
    behind((_, event, after) =>
      event.kind === 'model-replied' ? ({ ...after, model: undefined } as unknown as Run) : after,
    ),
  ],
  [
    'remembers something outside the run',
    /is another one at its end/,
    (core) => {
      const interrupted = new WeakSet<object>();
      return {
        ...core,
        apply: (run, event) => {
          if (event.kind === 'call-settled' && interrupted.has(run.transcript))
            return core.apply(run, { ...event, recorded: false });
          const after = core.apply(run, event);
          if (event.kind === 'call-started') interrupted.add(after.transcript);
          return after;
        },
      };
    },
  ],
  [
    'waits for ever',
    /has not ended after 2000 events/,
    (core) => ({
      ...core,
      apply: (run, event) => (event.kind === 'waited-out' ? run : core.apply(run, event)),
    }),
  ],
  [
    'runs unsafe calls beside others',
    /overlaps though/,
    (core) => ({
      ...core,
      nextStep: (run) => {
        const step = core.nextStep(run);
        return step.kind === 'run-calls' ? { ...step, waitsFor: step.calls.map(() => []) } : step;
      },
    }),
  ],
  [
    'forgets a waiting message when it is carried',
    /messages .* came in, the run knows/,
    behindCarry((run) => ({ ...run, inbox: { ...run.inbox, waiting: run.inbox.waiting.slice(1) } })),
  ],
  [
    'forgets half of a message when it is carried',
    /messages .* came in, the run knows|another inbox at its end/,
    behindCarry((run) => ({ ...run, inbox: { waiting: run.inbox.waiting, seen: run.inbox.seen } })),
  ],
  [
    'forgets what a turn has counted when it is carried',
    /request .* of a turn|another (log|turn) at its end/,
    behindCarry((run) => (run.turn ? { ...run, turn: { ...run.turn, iteration: 0 } } : run)),
  ],
  [
    'leaves a message behind that no context covers',
    /the request means|differ in message|another transcript at its end/,
    behindCarry((run) => withEntries(run, run.transcript.slice(1))),
  ],
  [
    'numbers its log anew when it is carried',
    /log entry .* has seq 1$/m,
    behindCarry((run) => ({ ...run, log: [] })),
  ],
  ['allows one iteration too many', /request .* of a turn/, withLimit('maxIterations')],
  ['allows one blank reply too many', /a retry behind|finalized behind/, withLimit('maxEmptyRetries')],
  ['allows one cut reply too many', /a recovery behind/, withLimit('maxLengthRecoveries')],
  ['takes one message too many', /a drain has taken/, withLimit('maxInjectionsPerDrain')],
  ['drains once too often', /drain .* of the turn/, withLimit('maxInjectionCycles')],
  ['allows one call too many', /call .* of .* in a turn/, withLimit('callsPerTurn')],
  ['allows one repeat too many', /identical call .* runs/, withLimit('repeatRefuseAt')],
  ['allows one round of repeats too many', /a loop of repeats goes on/, withLimit('repeatRoundsMax')],
  ['spends a token too many', /with the budget used up/, withLimit('maxTokens')],
];

/** A core that spoils what the sound one made of an event. */
function behind(spoil: (start: Run, event: RunEvent, after: Run) => Run): (core: Core) => Core {
  return (core) => ({ ...core, apply: (run, event) => spoil(run, event, core.apply(run, event)) });
}

/** A core that spoils a run before the sound one sees it. */
function before(spoil: (run: Run) => Run): (core: Core) => Core {
  return (core) => ({ ...core, apply: (run, event) => core.apply(spoil(run), event) });
}

/** A core that spoils a run when it goes on as a new one. */
function behindCarry(spoil: (run: Run) => Run): (core: Core) => Core {
  return (core) => ({ ...core, restored: (state) => spoil(core.restored(state)) });
}

/** A core that takes a cap for one more than it is. */
function withLimit(name: keyof Limits): (core: Core) => Core {
  return (core) => ({
    ...core,
    apply: (run, event) => {
      if (event.kind !== 'turn-opened' || !event.opened.limits) return core.apply(run, event);
      const { limits } = event.opened;
      const more = typeof limits[name] === 'number' ? { ...limits, [name]: limits[name] + 1 } : limits;
      return core.apply(run, { ...event, opened: { ...event.opened, limits: more } });
    },
  });
}

const withEntries = (run: Run, transcript: Entry[]): Run => ({ ...run, transcript });

/** The results that an event has put into the transcript, when they end it or only messages follow them. */
const results = (start: Run, after: Run): Entry[] =>
  after.transcript.slice(start.transcript.length).filter((entry) => entry.message.role === 'tool');
