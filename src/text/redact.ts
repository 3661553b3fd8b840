/** What a secret is replaced by. */
export const redacted = '[redacted]';

/**
 * Each pattern is linear: it starts at something rare and reads on in one class of characters, so that a hostile text of
 * megabytes costs milliseconds. What stays of a match is in the groups before and after the secret.
 */
const patterns: [pattern: RegExp, replacement: string][] = [
  // Private keys in PEM; without an end, everything behind the begin.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g,
    redacted,
  ],
  // Authorization schemes. Eight characters at least, so that "bearer of bad news" stays.
  [/\b(Bearer|Basic)(\s+)(?=[^\s"',;]*[\d=_.-])[^\s"',;]{8,}/gi, `$1$2${redacted}`],
  // user:password@ and token@ in URLs. A short name alone (git@) is no secret.
  [/(:\/\/)[^\s/@:"'<>]{0,256}:[^\s/@"'<>]{1,1024}@/g, `$1${redacted}@`],
  [/(:\/\/)[^\s/@:"'<>]{16,1024}@/g, `$1${redacted}@`],
  // Keys with a known beginning: OpenAI, Anthropic, OpenRouter, DeepSeek (sk-), Stripe, Groq, xAI, Hugging Face, GitHub,
  // GitLab, npm, Slack, AWS, Google.
  [/(?<![\w-])sk-[\w*-]{8,}/g, redacted],
  [/(?<![\w-])(?:sk|rk)_(?:live|test)_\w{8,}/g, redacted],
  [/(?<![\w-])(?:gsk_|xai-|hf_|npm_|glpat-|gh[pousr]_|github_pat_)[\w-]{16,}/g, redacted],
  [/(?<![\w-])xox[abeoprs]-[\w-]{10,}/g, redacted],
  [/(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?![\w-])/g, redacted],
  [/(?<![\w-])AIza[\w-]{35}(?![\w-])/g, redacted],
  // JSON web tokens.
  [/(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g, redacted],
  // name = value, in JSON, query strings, headers, env files. A plain `token` isn't in the list: page tokens are data.
  [
    /((?:api[_-]?key|api[_-]?secret|client[_-]?secret|secret[_-]?(?:access[_-]?)?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|password|passwd)["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\])[^\s"',;&<>{}]{6,}/gi,
    `$1${redacted}`,
  ],
];

/**
 * The text without what is plainly a secret: API keys, bearer tokens, credentials in URLs, private keys. Conservative:
 * it goes by form, so a password in a sentence stays, and so does every hash, id and page token.
 */
export function redact(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}
