import type { Limits, RequestPurpose, StopReason, Usage } from '../contract.ts';
import { entryCount, type Run } from './run.ts';

/** Answer of the `state` query: where a run stands, without its messages. */
export interface RunState {
  agent: string;
  /** `idle`: between turns, or before the first. */
  phase: 'opening' | 'asking' | 'running' | 'idle';
  turn: number;
  iteration: number;
  purpose?: RequestPurpose;
  /** The calls of the round in progress. */
  calls?: { index: number; id: string; name: string; status: string }[];
  /** Messages that no turn has taken yet. */
  waitingMessages: number;
  /** Messages in the transcript. */
  messages: number;
  /** `seq` of the newest log entry. */
  events: number;
  usage: Usage;
  limits?: Limits;
  /** How the last turn ended, when none is in progress. */
  ended?: { stopReason: StopReason; text: string };
}

/** Characters of the last answer that the state shows; the whole of it stands in the transcript. */
const endedTextCharsMax = 10_000;

export function stateOf(run: Run): RunState {
  const { turn } = run;
  const phase = turn?.phase;
  return {
    agent: run.agent,
    phase: phase === undefined || phase.at === 'ended' ? 'idle' : phase.at,
    turn: turn?.n ?? 0,
    iteration: turn?.iteration ?? 0,
    ...(phase?.at === 'asking' ? { purpose: phase.purpose } : {}),
    ...(phase?.at === 'running'
      ? {
          calls: phase.calls.map(({ index, id, name, started, outcome }) => ({
            index,
            id,
            name,
            status: outcome ? outcome.status : started ? 'running' : 'waiting',
          })),
        }
      : {}),
    waitingMessages: run.inbox.waiting.length,
    messages: entryCount(run),
    events: run.log.at(-1)?.seq ?? 0,
    usage: run.usage,
    ...(run.limits === undefined ? {} : { limits: run.limits }),
    ...(phase?.at === 'ended'
      ? { ended: { stopReason: phase.end.stopReason, text: phase.end.text.slice(0, endedTextCharsMax) } }
      : {}),
  };
}
