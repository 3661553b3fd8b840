/** gRPC status codes that tell something about a run or its worker. */
const notFound = 5;
const permissionDenied = 7;
const unavailable = 14;
const unauthenticated = 16;

/** The gRPC status of an error of Temporal's client, which wraps it as a rule. */
function statusOf(error: unknown): number | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  if (typeof code === 'number') return code;
  return typeof cause?.code === 'number' ? cause.code : undefined;
}

const nameOf = (error: unknown): unknown => (error as { name?: unknown } | null)?.name;

/** No run has the id, or (for a signal) none that is under way. */
export const isNotFound = (error: unknown): boolean =>
  nameOf(error) === 'WorkflowNotFoundError' || statusOf(error) === notFound;

/** The server itself can't be asked, so asking it something else is no way out. */
export const isServerError = (error: unknown): boolean =>
  [permissionDenied, unavailable, unauthenticated].includes(statusOf(error) ?? -1);
