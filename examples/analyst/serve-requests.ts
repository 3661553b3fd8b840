import { parentPort } from 'node:worker_threads';
import type { ThreadReply, ThreadRequest } from './work-thread.ts';

/** Errors keep these fields on their way to the main thread; PostgreSQL's are among them. */
const fields = ['name', 'message', 'code', 'detail', 'hint'] as const;

/**
 * The thread's side of `WorkThread`: answers one request after the other.
 *
 * @param isBroken Whether nothing can be answered any more after this error.
 */
export function serveRequests<Q>(
  answer: (body: Q) => Promise<unknown>,
  isBroken: (error: unknown) => boolean = () => false,
): void {
  const port = parentPort;
  if (!port) throw new Error('This file runs in a worker thread; start it with WorkThread.');
  const reply = (message: ThreadReply): void => port.postMessage(message);
  port.on('message', ({ id, body }: ThreadRequest) => {
    answer(body as Q).then(
      (value) => reply({ id, value }),
      (error: unknown) => {
        const given = error as { [field: string]: unknown };
        const told = fields.filter((field) => given[field] !== undefined);
        const plain = Object.fromEntries(told.map((field) => [field, String(given[field])]));
        reply({ id, error: plain, broken: isBroken(error) });
      },
    );
  });
  reply({ ready: true });
}
