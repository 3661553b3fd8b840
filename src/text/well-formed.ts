/**
 * The text with lone surrogates and NUL replaced by U+FFFD. A lone surrogate can't be sent as UTF-8: one in a transcript
 * makes a provider refuse every later request; NUL is refused by some providers and by PostgreSQL.
 */
export function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * A copy of a JSON value whose texts and keys are well-formed. Works through a list instead of recursion: a reply may be
 * nested deeper than the stack.
 */
export function deepWellFormed<T>(json: T): T {
  const open: [source: object, copy: object][] = [];
  const copied = (value: unknown): unknown => {
    if (typeof value === 'string') return wellFormed(value);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Array.isArray(value) ? [] : {};
    open.push([value, copy]);
    return copy;
  };

  const root = copied(json);
  for (let next = open.pop(); next; next = open.pop()) {
    const [source, copy] = next;
    for (const [key, value] of Object.entries(source)) {
      // Defined, not assigned: a key `__proto__` is data here and must not become the prototype.
      Object.defineProperty(copy, wellFormed(key), {
        value: copied(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return root as T;
}
