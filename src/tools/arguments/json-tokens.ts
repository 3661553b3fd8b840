/**
 * The significant tokens of a text that is JSON or nearly so: brackets, colons, strings by their value, numbers and
 * literals. Left out, because they carry no information: white space, comments, commas, the kind of quotes.
 * Undefined when the text isn't understood: a string that isn't closed, an unknown escape, a bare word as a value.
 *
 * Two texts with the same tokens say the same, which is how a repair is judged (see `repair.ts`).
 */
export function jsonTokens(text: string): string[] | undefined {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = match(skipped, text, at);
    if (blank) {
      at += blank.length;
      continue;
    }
    const char = text[at]!;
    if ('{}[]:'.includes(char)) {
      tokens.push(char);
      at++;
    } else if (char === '"' || char === "'") {
      const string = readString(text, at);
      if (!string) return undefined;
      tokens.push(`s${string.value}`);
      at = string.end;
    } else {
      const word = match(number, text, at) ?? match(identifier, text, at);
      if (word === undefined) return undefined;
      at += word.length;
      const token = tokenOf(word, text, at);
      if (token === undefined) return undefined;
      tokens.push(token);
    }
  }
  return tokens;
}

const skipped = /(?:[\s,]|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const identifier = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const colonNext = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*:/y;

/** JSON's literals and Python's. */
const literals = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

function tokenOf(word: string, text: string, end: number): string | undefined {
  if (/^[-\d]/.test(word)) return `n${word}`;
  if (match(colonNext, text, end) !== undefined) return `s${word}`;
  return literals.get(word);
}

const escapes = new Map([
  ...Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
  ...['"', "'", '\\', '/'].map((char) => [char, char] as const),
]);

/** Line breaks and tabs inside are taken as they stand: models write them, and they can mean nothing else. */
function readString(text: string, start: number): { value: string; end: number } | undefined {
  const quote = text[start];
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === quote) return { value: value + text.slice(from, at), end: at + 1 };
    if (text[at] !== '\\') continue;
    value += text.slice(from, at);
    const hex = /^u[\da-fA-F]{4}/.exec(text.slice(at + 1, at + 6))?.[0];
    const char = hex
      ? String.fromCharCode(Number.parseInt(hex.slice(1), 16))
      : escapes.get(text[at + 1] ?? '');
    if (char === undefined) return undefined;
    value += char;
    at += hex ? hex.length : 1;
    from = at + 1;
  }
  return undefined;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
