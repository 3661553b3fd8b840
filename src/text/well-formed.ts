/**
 * The text with lone surrogates and NUL replaced by U+FFFD. A lone surrogate can't be sent as UTF-8: one in a transcript
 * makes a provider refuse every later request; NUL is refused by some providers and by PostgreSQL.
 */
export function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Whether every text and key of a JSON value is well-formed. */
function isDeepWellFormed(json: unknown): boolean {
  const open = [json];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === 'string' && !isWellFormed(value)) return false;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) open.push(item);
      continue;
    }
    for (const [key, item] of Object.entries(value)) {
      if (!isWellFormed(key)) return false;
      open.push(item);
    }
  }
  return true;
}

const isWellFormed = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * A JSON value whose texts and keys are well-formed: the value itself when it is so already, as nearly always, else a copy.
 * Works through a list instead of recursion: a reply may be
 * nested deeper than the stack.
 */
export function deepWellFormed<T>(json: T): T {
  if (isDeepWellFormed(json)) return json;
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

/** `deepWellFormed` of a message, which is never changed: a conversation's are the same objects from request to request. */
export function wellFormedMessage<T extends object>(message: T): T {
  const known = looked.get(message);
  if (known !== undefined) return known as T;
  const made = deepWellFormed(message);
  looked.set(message, made);
  return made;
}

const looked = new WeakMap<object, object>();
