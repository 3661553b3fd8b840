import { findRefusal, type RefusalOptions } from './find-refusal.ts';
import { rawEndpoint, type RawEndpoint, type RawReply, type ReceivedRequest } from './raw-endpoint.ts';

/**
 * A raw endpoint that answers 400 to what strict providers refuse, with the reason, before it looks at its replies. `index`
 * counts the requests that were taken, from 0. What goes wrong in a script is a 400 too: to anything else a client would
 * come back, for an hour if it must.
 */
export function strictEndpoint(
  replies: RawReply[] | ((request: ReceivedRequest, index: number) => RawReply | Promise<RawReply>),
  options: RefusalOptions = {},
): RawEndpoint {
  const who = options.as === undefined ? 'strict endpoint' : `strict endpoint, as ${options.as}`;
  let taken = 0;
  return rawEndpoint(async (request) => {
    const reason = findRefusal(request.body, options);
    if (reason !== undefined) return refusal(`${who}: ${reason}`, 'invalid_request_error');
    const index = taken++;
    if (typeof replies !== 'function') return replies[index] ?? usedUp(index + 1, replies.length);
    try {
      return await replies(request, index);
    } catch (error) {
      const { message } = error as { message?: unknown };
      return refusal(
        `the script failed at request ${index + 1}: ${String(message ?? error)}`,
        'script_failed',
      );
    }
  });
}

/** Loud, instead of an answer that nobody wrote: the run ends with this message. */
export const usedUp = (request: number, replies: number): RawReply =>
  refusal(
    `the script is used up: request ${request} came, and there ${replies === 1 ? 'is 1 reply' : `are ${replies} replies`}. ` +
      'Add a reply, or give a function (request, index) => reply.',
    'script_used_up',
  );

const refusal = (message: string, code: string): RawReply => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});
