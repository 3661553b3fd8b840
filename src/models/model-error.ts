/**
 * Why a model request got no usable answer.
 *
 * `transient` decides what the activity does: it waits and asks again (within `modelOutageWaitMs`), or gives up at once.
 * `type` is a short stable word that a service can branch on: `rate_limited`, `overloaded`, `server_error`, `network`,
 * `timeout`, `bad_reply` (a 200 that is no completion), `stream_cut`, `finish_error` (all transient);
 * `insufficient_quota`, `unauthorized`, `context_too_long`, `model_refused` (other 4xx), `request_failed` (it couldn't even
 * be made): not transient.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly type: string;
  readonly transient: boolean;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** What the provider asked to wait (`Retry-After`), in ms. */
  readonly retryAfterMs: number | undefined;
  /** Most tries for this kind of failure, where it is fewer than the outage wait allows. */
  readonly triesMax: number | undefined;

  constructor(
    type: string,
    message: string,
    options: {
      transient: boolean;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      triesMax?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.type = type;
    this.transient = options.transient;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.triesMax = options.triesMax;
  }
}

/** By name and fields, not by class: with two copies of the package, or another realm in tests, there are two classes. */
export function isModelError(error: unknown): error is ModelError {
  if (typeof error !== 'object' || error === null) return false;
  const { name, type, transient } = error as Partial<ModelError>;
  return name === 'ModelError' && typeof type === 'string' && typeof transient === 'boolean';
}
