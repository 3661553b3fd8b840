import type { Json } from '../../contract.ts';

/**
 * A number whose text says more than its value: `1.50`, `5.0`, `12345678901234567890`. Kept until the schema tells whether
 * a number or a text is wanted, so that nothing is lost on the way.
 */
export class NumberLiteral {
  readonly source: string;
  readonly value: number;

  constructor(source: string) {
    this.source = source;
    this.value = Number(source);
  }

  /** An integer that JavaScript's numbers can't hold exactly. */
  get isTooLarge(): boolean {
    return isInteger.test(this.source) && !Number.isSafeInteger(this.value);
  }
}

const isInteger = /^-?\d+$/;

/** JSON that still knows how its numbers were written. */
export type Draft = null | boolean | number | string | NumberLiteral | Draft[] | DraftObject;
export type DraftObject = { [key: string]: Draft };

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const keepLiterals: Reviver = (_key, value, context) =>
  typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
    ? new NumberLiteral(context.source)
    : value;

/** @throws SyntaxError, or RangeError for a text nested thousands of levels deep. */
export const parseDraft = (text: string): Draft => JSON.parse(text, keepLiterals) as Draft;

export const isDraftObject = (value: unknown): value is DraftObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral);

/** The same as plain JSON, each number by its value. */
export function plain(draft: Draft): Json {
  if (draft instanceof NumberLiteral) return draft.value;
  if (Array.isArray(draft)) return draft.map(plain);
  if (!isDraftObject(draft)) return draft;
  return Object.fromEntries(Object.entries(draft).map(([key, value]) => [key, plain(value)]));
}
