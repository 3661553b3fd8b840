import type { RunState } from '../core/state.ts';
import { plain } from './progress.ts';

/** The state of a run as lines of `name  value`. Pure. */
export function stateLines(id: string, state: RunState): string[] {
  const { usage, ended } = state;
  const calls = (state.calls ?? []).map((call) => `${call.name} (${call.status})`);
  const rows: [string, string | undefined][] = [
    ['run', id],
    ['agent', state.agent],
    ['phase', phaseOf(state)],
    ['turn', `${state.turn}, iteration ${state.iteration}`],
    ['calls', calls.length === 0 ? undefined : calls.join(', ')],
    ['waiting', state.waitingMessages === 0 ? undefined : `${state.waitingMessages} messages`],
    ['messages', `${state.messages} in the transcript`],
    ['usage', `${usage.requests} requests, ${usage.promptTokens} + ${usage.completionTokens} tokens`],
    ['last answer', ended === undefined ? undefined : `[${ended.stopReason}] ${ended.text}`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(12)} ${plain(value)}`]));
}

const phases = {
  opening: 'opens a turn',
  asking: 'asks the model',
  running: 'runs tools',
  idle: 'between turns',
} as const;

const phaseOf = ({ phase, purpose }: RunState): string =>
  `${phases[phase]}${purpose === undefined || purpose === 'reply' ? '' : ` (${purpose})`}`;
