import type { FinishReason, RequestPurpose, RunError, StopReason, ToolOutcome, Usage } from '../contract.ts';

/** A call as the log shows it; `arguments` is JSON text as the model's transcript has it. */
export interface LoggedCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * What happened in a run, coarse enough to stay small: no text delta is here. `seq` counts from 1 without gaps and is
 * the cursor of the `events` query; `at` is in ms since the epoch. An iteration reads as *thought* (`model-replied`: text
 * and thinking), *action* (`call-started`) and *observation* (`call-settled`).
 */
export type LogEntry = { seq: number; at: number; turn: number } & LogBody;

export type LogBody =
  | { kind: 'turn-started'; messageIds: string[] }
  | { kind: 'model-started'; iteration: number; purpose: RequestPurpose }
  | {
      kind: 'model-replied';
      iteration: number;
      purpose: RequestPurpose;
      text: string;
      thinking?: string;
      calls: LoggedCall[];
      finish: FinishReason;
      usage: Usage;
      interrupted?: boolean;
      warnings?: string[];
    }
  | { kind: 'model-failed'; iteration: number; purpose: RequestPurpose; error: RunError }
  | ({ kind: 'call-started'; iteration: number } & LoggedCall)
  | { kind: 'call-settled'; iteration: number; index: number; id: string; name: string; outcome: ToolOutcome }
  | { kind: 'messages-taken'; messageIds: string[] }
  | {
      kind: 'turn-ended';
      text: string;
      stopReason: StopReason;
      iterations: number;
      usage: Usage;
      error?: RunError;
    };

/** The log with one more entry. A carried run's log begins with the last entry before, so the numbers go on. */
export function logged(log: LogEntry[], at: number, turn: number, body: LogBody): LogEntry[] {
  return [...log, { seq: (log.at(-1)?.seq ?? 0) + 1, at, turn, ...body }];
}
