import type { ToolOutcome } from '../contract.ts';

/** Outcomes of calls of which nobody knows whether they happened. */

export const cancelledOutcome = (tool: string): ToolOutcome => ({
  status: 'cancelled',
  class: 'general',
  text: `Cancelled by the user, outcome of ${tool} unknown: it may or may not have happened. Check before repeating it.`,
});

export const lostOutcome = (tool: string, deaths: number): ToolOutcome => ({
  status: 'unknown',
  class: 'general',
  text:
    `Error: the outcome of ${tool} is unknown: its worker died ${deaths === 1 ? '' : `${deaths} times `}while it ran. ` +
    'It may or may not have happened. Check before repeating it.',
});

export const timedOutOutcome = (tool: string, timeoutMs: number): ToolOutcome => ({
  status: 'timeout',
  class: 'general',
  text:
    `TimeoutError: ${tool} did not end within ${timeoutMs} ms, its outcome is unknown: it may or may not have happened. ` +
    'Check before repeating it.',
});
