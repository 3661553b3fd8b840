/** The message of whatever was thrown, in one line. Errors of Node's core may come from another realm, so no `instanceof`. */
export function reason(thrown: unknown): string {
  const message = (thrown as { message?: unknown } | null | undefined)?.message;
  const text = typeof message === 'string' && message.trim() !== '' ? message : String(thrown);
  return text.trim().replace(/\s*\n\s*/g, ' · ');
}
