import { badReply, fromErrorBody } from './errors.ts';
import type { ErrorContext } from './errors.ts';
import { isObject } from './raw-completion.ts';
import type { RawCompletion } from './raw-completion.ts';

const excerptCharsMax = 200;

/**
 * The completion in the body of a reply with status 200. Providers and the proxies before them send other things with that
 * status: HTML, error objects, nothing. Those throw a `ModelError`: by the error's own code where it has one, else
 * `bad_reply`.
 */
export function readCompletion(body: string, context: ErrorContext): RawCompletion {
  if (body.trim() === '') throw badReply('the body is empty', context);
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    // What the parser says is of no use to anybody; what stands in the body is.
    throw badReply(`the body is no JSON: ${excerpt(body)}`, context);
  }
  throwIfError(json, context);
  const choices = isObject(json) ? json['choices'] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isObject(json) || !isObject(choice)) throw badReply(`it has no choices: ${excerpt(body)}`, context);
  throwIfError(choice, context);
  if (!isObject(choice['message'])) throw badReply(`its choice has no message: ${excerpt(body)}`, context);
  return { message: choice['message'], finish: choice['finish_reason'], usage: json['usage'] };
}

/** Throws when a reply, a choice or a stream's piece is, or carries, an error. */
export function throwIfError(json: unknown, context: ErrorContext): void {
  if (!isObject(json)) return;
  const error = json['error'];
  if (isObject(error) || (typeof error === 'string' && error !== '')) throw fromErrorBody(error, context);
  // vLLM's shape: the error object is the whole body.
  if (json['object'] === 'error') throw fromErrorBody(json, context);
}

const excerpt = (body: string): string => body.slice(0, excerptCharsMax).replace(/\s+/g, ' ').trim();
