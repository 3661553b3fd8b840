/** What the loop itself says, to the model or in place of an answer. */

/** turn-semantics §1, word for word. */
export const atIterationCap = 'Agent reached maximum iterations without completing the task.';

export const noAnswer = 'No answer could be produced: the model returned empty replies.';

export const budgetEnd = (what: string): string => `The run's budget is used up: ${what}.`;

export const loopEnd = 'The turn was ended because the same tool calls were repeated again and again.';

/** Stands in the transcript where a reply never came. The error itself never enters the transcript. */
export const placeholderText = '[no reply: the model request failed]';

/** Marks a reply that was cut short. */
export const stopMarks = {
  interrupted: '[interrupted by the user]',
  cancelled: '[cancelled]',
  'time-up': "[cut off: the run's time is up]",
} as const;

/** Code points of an answer's end that the continuation prompt quotes. */
const quotedChars = 64;

/** Asks for the rest of an answer that was cut off by length. */
export function continuationPrompt(soFar: string): string {
  const end = Array.from(soFar).slice(-quotedChars).join('');
  return (
    'Your answer was cut off by the length limit. Go on exactly where it ends, in the same language and style, ' +
    `without a recap or an introduction. It ends with: ${JSON.stringify(end)}`
  );
}

/** In the place of messages that stand in runs of the conversation which nobody has any more. */
export const messagesGone = (entries: number): string =>
  `The first ${entries} messages of this conversation are no longer available.`;

/** The outcome of a call that was stopped: nobody knows whether it happened. */
export const stoppedCalls = {
  interrupted:
    'Cancelled by the user, outcome unknown: it may or may not have happened. Check before repeating it.',
  cancelled: 'Cancelled with the run, outcome unknown: it may or may not have happened.',
  'time-up': "Cancelled, the run's time is up, outcome unknown: it may or may not have happened.",
} as const;

export const notStarted = 'Cancelled before it started: it was not run.';

export const notRunBudget = (what: string): string => `Not run: the run's budget is used up (${what}).`;

/** Until decisions of people are built in, a call that needs one is refused rather than run. */
export const notRunApproval = (name: string, reason: boolean | string | undefined): string =>
  `Error: refused, ${name} needs a person's approval${typeof reason === 'string' ? ` (${reason})` : ''} and this run has no way to ask for it. It was not run.`;
