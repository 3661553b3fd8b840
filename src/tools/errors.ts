import type { ErrorClass } from '../contract.ts';

/** What a tool may add to its error. */
export interface ToolErrorOptions {
  /** What the model can do instead; shown on a line of its own. */
  hint?: string;
  cause?: unknown;
}

const kind: unique symbol = Symbol.for('turnloop.error');
type Kind = 'tool' | 'retryable' | 'boundary';

/**
 * The tool's own word that retrying is useless: the model reads the message and the hint at once.
 * Subclasses keep their class name, which begins the text.
 */
export class ToolError extends Error {
  readonly hint: string | undefined;
  /** Recognized by this mark and not by class, so that a second copy of the package is no problem. */
  readonly [kind]: Kind = 'tool';

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    this.hint = options.hint;
  }
}

/** A failure that another try may mend: the call is tried up to `attempts` times (default 3), after 1 s and 2 s. */
export class RetryableToolError extends Error {
  readonly hint: string | undefined;
  /** How long to wait before the next try, in ms; goes before the default pauses. */
  readonly retryAfterMs: number | undefined;
  readonly [kind]: Kind = 'retryable';

  constructor(message: string, options: ToolErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * A guard's refusal (turn-semantics §3): `hard_boundary` is final for every target of its kind, `soft_boundary` only for
 * this one. The message contains the first marker of its class, see `boundary-markers.ts`.
 */
export class BoundaryError extends Error {
  readonly boundary: Exclude<ErrorClass, 'general'>;
  /** What was refused: a path, a URL. */
  readonly target: string;
  readonly hint: string | undefined;
  readonly [kind]: Kind = 'boundary';

  constructor(
    message: string,
    options: ToolErrorOptions & { class: Exclude<ErrorClass, 'general'>; target: string },
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    this.boundary = options.class;
    this.target = options.target;
    this.hint = options.hint;
  }
}

export const isToolError = (value: unknown): value is ToolError => isKind(value, 'tool');
export const isRetryableToolError = (value: unknown): value is RetryableToolError =>
  isKind(value, 'retryable');
export const isBoundaryError = (value: unknown): value is BoundaryError => isKind(value, 'boundary');

const isKind = (value: unknown, wanted: Kind): boolean =>
  typeof value === 'object' && value !== null && (value as { [kind]?: unknown })[kind] === wanted;
