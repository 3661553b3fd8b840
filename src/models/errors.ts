import { redact, redacted } from '../text/redact.ts';
import { wellFormed } from '../text/well-formed.ts';
import { classifyFailure } from './classify-failure.ts';
import { isModelError, ModelError } from './model-error.ts';
import { isObject } from './raw-completion.ts';
import { retryAfterMs } from './retry-after.ts';

/** Whose error it is, and which texts must never stand in a message (the API key in use). */
export interface ErrorContext {
  provider: string;
  secrets: string[];
}

/** Tries for a reply that is no completion (turn-semantics §8). */
const badReplyTriesMax = 3;
const messageCharsMax = 1_000;

/**
 * The one place where what the SDK, the network or a provider reports becomes a `ModelError`. The original error isn't
 * kept as `cause`: Temporal would write its unscrubbed text into the history.
 */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (isModelError(error)) return error;
  const fields = isRecord(error) ? error : {};
  const status = fields['status'];
  if (typeof status === 'number') {
    const body = fields['error'] ?? String(fields['message'] ?? '').replace(/^\d{3} /, '');
    return fromErrorBody(body, context, status, isHeaders(fields['headers']) ? fields['headers'] : undefined);
  }
  const chain = causes(error);
  const code = chain.map((link) => link['code']).find((value) => typeof value === 'string') as
    string | undefined;
  const text = chain
    .map((link) => String(link['message'] ?? ''))
    .filter(Boolean)
    .join(': ');
  const detail = scrubbed(code && !text.includes(code) ? `${text} (${code})` : text, context);
  if (isTimeout(code, chain)) {
    return new ModelError('timeout', `${context.provider}: no answer in time: ${detail}`, {
      transient: true,
    });
  }
  if (isNetwork(code, chain)) {
    return new ModelError(
      'network',
      `${context.provider} can't be reached or broke the connection: ${detail}`,
      {
        transient: true,
      },
    );
  }
  // Neither an answer nor the network: the request couldn't even be made (an invalid header, a value that is no JSON).
  return new ModelError('request_failed', `${context.provider}: the request couldn't be made: ${detail}`, {
    transient: false,
  });
}

/** An `error` object or text of a provider: behind a status, in a reply with status 200, or in a stream. */
export function fromErrorBody(
  body: unknown,
  context: ErrorContext,
  status?: number,
  headers?: HeaderBag,
): ModelError {
  const inner = isObject(body) && isObject(body['error']) ? body['error'] : body;
  const fields = isObject(inner) ? inner : {};
  const told = Number(fields['code'] ?? fields['status']);
  const effective = status ?? (Number.isInteger(told) && told >= 400 && told < 600 ? told : undefined);
  const message = messageOf(inner);
  const codes = [fields['code'], fields['type'], fields['status']].filter((code) => typeof code === 'string');
  const verdict = classifyFailure({ status: effective, codes, message });
  const wait = retryAfterMs(
    { retryAfterMs: headers?.get('retry-after-ms'), retryAfter: headers?.get('retry-after') },
    Date.now(),
  );
  const label = [effective, codes.find((code) => !message.includes(code))].filter(Boolean).join(' ');
  const text = `${context.provider} answered ${label || 'with an error'}: ${message || 'no message'}${remedies[verdict.type] ?? ''}`;
  return new ModelError(verdict.type, scrubbed(text, context), {
    transient: verdict.transient,
    status: effective,
    retryAfterMs: wait ?? waitInText(message),
    triesMax: verdict.type === 'bad_reply' ? badReplyTriesMax : undefined,
  });
}

/** A reply with status 200 that is no completion. */
export function badReply(what: string, context: ErrorContext): ModelError {
  return new ModelError('bad_reply', scrubbed(`${context.provider} sent no completion: ${what}`, context), {
    transient: true,
    triesMax: badReplyTriesMax,
  });
}

const remedies: Record<string, string> = {
  insufficient_quota:
    ' — the account is empty or over its limit: add credit or raise the limit, then run again',
  unauthorized: ' — check the API key and what it may use',
};

function messageOf(error: unknown): string {
  if (typeof error === 'string') return asText(error);
  if (!isObject(error)) return '';
  const message = error['message'] ?? error['detail'] ?? error['error'] ?? error;
  const text = asText(typeof message === 'string' ? message : JSON.stringify(message));
  // OpenRouter keeps what the model's own provider said here.
  const raw = isObject(error['metadata']) ? error['metadata']['raw'] : undefined;
  return typeof raw === 'string' ? `${text}: ${asText(raw)}` : text;
}

/** A page of HTML says what it has to say in its text. */
function asText(text: string): string {
  const plain = /^\s*</.test(text)
    ? text.slice(0, 20_000).replace(/<(style|script)[\s\S]*?<\/\1>|<[^<>]*>/gi, ' ')
    : text;
  return plain.replace(/\s+/g, ' ').trim();
}

function scrubbed(text: string, context: ErrorContext): string {
  const known = context.secrets.filter((secret) => secret.length >= 4);
  const clean = redact(
    known.reduce((result, secret) => result.replaceAll(secret, redacted), wellFormed(text)),
  );
  return clean.length > messageCharsMax ? `${clean.slice(0, messageCharsMax).toWellFormed()}…` : clean;
}

/** "Please try again in 1m3.5s" (OpenAI), "Please retry in 32.3s" (Gemini), in ms. */
function waitInText(message: string): number | undefined {
  const match = /(?:retry|try again) in (?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?)(ms|s))?/i.exec(
    message,
  );
  if (!match || (!match[1] && !match[2])) return undefined;
  return Math.ceil(
    Number(match[1] ?? 0) * 60_000 + Number(match[2] ?? 0) * (match[3]?.toLowerCase() === 'ms' ? 1 : 1_000),
  );
}

interface HeaderBag {
  get(name: string): string | null;
}

type Link = Record<string, unknown>;

// Errors are told by their fields: those of Node's core come from another realm in tests, where instanceof is false.
const isRecord = (value: unknown): value is Link => typeof value === 'object' && value !== null;
const isHeaders = (value: unknown): value is HeaderBag =>
  isRecord(value) && typeof value['get'] === 'function';

function causes(error: unknown): Link[] {
  const chain: Link[] = [];
  for (let link: unknown = error; isRecord(link) && chain.length < 5; link = link['cause']) chain.push(link);
  return chain.length > 0 ? chain : [{ message: String(error) }];
}

function isTimeout(code: string | undefined, chain: Link[]): boolean {
  const codes = ['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'];
  return (
    codes.includes(code ?? '') ||
    chain.some(
      (link) => link['name'] === 'TimeoutError' || constructorName(link) === 'APIConnectionTimeoutError',
    )
  );
}

function isNetwork(code: string | undefined, chain: Link[]): boolean {
  return (
    /^(E[A-Z]{3,}|UND_ERR_|ERR_(SSL|TLS|HTTP2)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_)/.test(
      code ?? '',
    ) ||
    chain.some(
      (link) =>
        constructorName(link) === 'APIConnectionError' ||
        /^(terminated|fetch failed)$/.test(String(link['message'])),
    )
  );
}

const constructorName = (link: Link): string =>
  (link.constructor as { name?: string } | undefined)?.name ?? '';
