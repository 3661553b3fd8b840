import type { RequestPurpose, UserMessage } from '../contract.ts';

/** What a finalization request adds behind the conversation. It is sent, never kept. */
const notes: { [purpose in Exclude<RequestPurpose, 'reply'>]: string } = {
  'finalize-blank': 'Your last replies were empty. Write the reply to the user now, in text.',
  'finalize-cap':
    'The budget of steps for this turn is used up and no more tools can be called. Answer now from what is there, and name what is still open.',
  'finalize-loop':
    'The same tool calls were repeated and refused, and no more tools can be called. Answer now from what is there, and name what is still open.',
  'finalize-budget':
    'The time for this task is up and no more tools can be called. Answer now from what is there, and name what is still open.',
};

export const requestNotes = (purpose: RequestPurpose = 'reply'): UserMessage[] =>
  purpose === 'reply' ? [] : [{ role: 'user', content: notes[purpose] }];
