import type { Client } from '@temporalio/client';
import { ClientClosedError } from './errors.ts';

/** By connection, which clients may share: aborted when it is closed. */
const closings = new WeakMap<object, AbortController>();

function closingOf({ connection }: Client): AbortController {
  const closing = closings.get(connection) ?? new AbortController();
  closings.set(connection, closing);
  return closing;
}

/** Ends what waits on the client's connection, and refuses what comes later. */
export function endWaiting(client: Client): void {
  closingOf(client).abort();
}

/**
 * What the work comes to. Its requests may wait for a server that is gone, so it isn't waited for when the client is closed.
 *
 * @param id Workflow id of the run the work is about
 * @throws ClientClosedError as soon as the client is closed
 */
export async function untilClosed<T>(client: Client, id: string, work: () => Promise<T>): Promise<T> {
  const { signal } = closingOf(client);
  if (signal.aborted) throw new ClientClosedError(id);
  const { promise: closed, reject } = Promise.withResolvers<never>();
  const end = () => reject(new ClientClosedError(id));
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), closed]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The entries, one after the other. @throws ClientClosedError as soon as the client is closed */
export async function* eachUntilClosed<T>(
  client: Client,
  id: string,
  entries: AsyncGenerator<T, unknown, void>,
): AsyncGenerator<T, void, void> {
  try {
    for (;;) {
      const next = await untilClosed(client, id, () => entries.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: behind a close a request may still be under way.
    void entries.return(undefined).catch(() => {});
  }
}
