/** What a provider said about a failed request, in its own words. */
export interface Failure {
  /** HTTP status, or the number that stands as `code` in an error object. */
  status?: number | undefined;
  /** `code` and `type` of the error object. */
  codes: string[];
  message: string;
}

/** See `ModelError` for the words. */
export interface Verdict {
  type: string;
  transient: boolean;
}

const once = (type: string): Verdict => ({ type, transient: false });
const again = (type: string): Verdict => ({ type, transient: true });

/** Codes that say all there is to say, whatever the status. */
const byCode: Record<string, Verdict> = {
  insufficient_quota: once('insufficient_quota'),
  billing_hard_limit_reached: once('insufficient_quota'),
  billing_not_active: once('insufficient_quota'),
  insufficient_balance: once('insufficient_quota'),
  insufficient_credits: once('insufficient_quota'),
  payment_required: once('insufficient_quota'),
  billing_error: once('insufficient_quota'),
  context_length_exceeded: once('context_too_long'),
  model_context_window_exceeded: once('context_too_long'),
  exceed_context_size_error: once('context_too_long'),
  request_too_large: once('context_too_long'),
};

/** Codes that count when there is no status: error objects in a reply with status 200, or in a stream. */
const byCodeAlone: Record<string, Verdict> = {
  rate_limit_exceeded: again('rate_limited'),
  rate_limit_error: again('rate_limited'),
  too_many_requests: again('rate_limited'),
  resource_exhausted: again('rate_limited'),
  overloaded_error: again('overloaded'),
  overloaded: again('overloaded'),
  unavailable: again('overloaded'),
  service_unavailable: again('overloaded'),
  server_error: again('server_error'),
  internal_server_error: again('server_error'),
  internal_error: again('server_error'),
  api_error: again('server_error'),
  internal: again('server_error'),
  timeout: again('timeout'),
  timeout_error: again('timeout'),
  deadline_exceeded: again('timeout'),
  invalid_api_key: once('unauthorized'),
  authentication_error: once('unauthorized'),
  permission_error: once('unauthorized'),
  permission_denied: once('unauthorized'),
  unauthenticated: once('unauthorized'),
  invalid_request_error: once('model_refused'),
  invalid_argument: once('model_refused'),
  badrequesterror: once('model_refused'),
  model_not_found: once('model_refused'),
  not_found_error: once('model_refused'),
};

const emptyAccount =
  /insufficient[ _](balance|credits?|quota|funds)|credit balance is too low|exceeded your current quota|out of credits|billing hard limit|account is not active|payment required|requires more credits/i;

/** Gemini uses the words of an empty account for its limits per minute too, and then says when to come back. */
const comesBack = /per[ _]?minute|per[ _]?second|PerMinute|(?:retry|try again) in \d/i;

/** OpenAI, Azure, vLLM, Anthropic, Gemini, Mistral, xAI, llama.cpp, Groq, OpenRouter, Bedrock: each has its own sentence. */
const tooLong = new RegExp(
  [
    'maximum context length',
    'context[ _-]?length (is )?exceeded',
    'exceeds? (the |this |its )?(model.?s |available )*(maximum )?(context|input) (length|window|size|limit)',
    'context window (is )?(exceeded|full|limit)',
    'exceeds the context window',
    'prompt is too long',
    'input is too long',
    'exceed context limit',
    'input token count.{0,40}exceeds the maximum',
    'input tokens exceeds? the configured limit',
    'maximum prompt length is',
    'too large for model with \\d+ maximum context',
    'reduce the length of the messages',
    'prompt too long',
    'too many input tokens',
  ].join('|'),
  'i',
);

/** Statuses that pass by, whatever the text says. */
const busy = new Set([408, 409, 429]);

/** What a failure is, and whether asking again can help (turn-semantics §1, last row of the caps). */
export function classifyFailure({ status, codes, message }: Failure): Verdict {
  const words = codes.map((code) => code.toLowerCase());
  const limited = comesBack.test(message) && (status === 429 || status === undefined);
  const coded = words.map((word) => byCode[word]).find(Boolean);
  if (coded && !limited && !(coded.type === 'context_too_long' && busy.has(status ?? 0))) return coded;
  if (status === 402) return once('insufficient_quota');
  if (emptyAccount.test(message) && !limited) return once('insufficient_quota');
  if (status === 413) return once('context_too_long');
  if (!busy.has(status ?? 0) && tooLong.test(message)) return once('context_too_long');
  if (status !== undefined) return byStatus(status);
  return words.map((word) => byCodeAlone[word]).find(Boolean) ?? again('bad_reply');
}

function byStatus(status: number): Verdict {
  if (status === 429) return again('rate_limited');
  if (status === 408 || status === 504 || status === 524) return again('timeout');
  if (status === 409 || status === 503 || status === 529) return again('overloaded');
  if (status >= 500) return again('server_error');
  if (status === 401 || status === 403) return once('unauthorized');
  return once('model_refused');
}
