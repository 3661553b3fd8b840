/** Rejects when the user stops the command. Nobody needs to wait for it at that moment. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  promise.catch(() => {}); // whoever races against it sees the rejection
  return promise;
}
