import type { LogEntry } from '../core/log.ts';
import type { Run } from '../core/run.ts';

/** Entries shown, the newest ones; with the length of a line they keep the text under Temporal's 10,000 characters. */
const entriesMax = 40;
const lineCharsMax = 200;

/** The run's current details, as Markdown for the Temporal UI: how each iteration went. */
export function detailsOf(run: Run): string {
  const lines = run.log.slice(-entriesMax).map((entry) => knownLineOf(entry));
  return [`**${run.agent}**`, '', ...lines.filter((line) => line !== undefined)].join('\n');
}

/** An entry never changes, and the details are made anew with every event. */
const known = new WeakMap<LogEntry, string | undefined>();

function knownLineOf(entry: LogEntry): string | undefined {
  if (!known.has(entry)) known.set(entry, lineOf(entry));
  return known.get(entry);
}

function lineOf(entry: LogEntry): string | undefined {
  switch (entry.kind) {
    case 'turn-started':
      return `- **turn ${entry.turn}**`;
    case 'model-replied':
      return entry.text === '' ? undefined : `- thought: ${short(entry.text)}`;
    case 'model-failed':
      return `- model failed: ${short(entry.error.message)}`;
    case 'call-started':
      return `- action: ${entry.name} ${short(entry.arguments)}`;
    case 'call-settled':
      return `- observation: ${entry.name} ${entry.outcome.status}: ${short(entry.outcome.text)}`;
    case 'messages-taken':
      return `- ${entry.messageIds.length} message(s) from outside`;
    case 'turn-ended':
      return `- **${entry.stopReason}** after ${entry.iterations} iteration(s)`;
    default:
      return undefined;
  }
}

function short(text: string): string {
  // Without spaces the UI doesn't break a line of JSON.
  const line = text
    .replace(/\s+/gu, ' ')
    .replace(/([,:])(?=["{[])/gu, '$1 ')
    .trim();
  const chars = Array.from(line.slice(0, lineCharsMax * 2));
  return chars.length <= lineCharsMax ? line : `${chars.slice(0, lineCharsMax).join('')}…`;
}
