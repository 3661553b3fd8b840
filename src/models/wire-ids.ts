import { createHash } from 'node:crypto';

const nine = /^[a-zA-Z0-9]{9}$/;
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * How call ids are written for a provider that wants nine letters and digits. An id always becomes the same one, in every
 * request, and different ids stay different. `ids`: all ids of the request; those that have the form already stay.
 */
export function nineAlphanumeric(ids: string[]): (id: string) => string {
  const written = new Map<string, string>();
  const taken = new Set(ids.filter((id) => nine.test(id)));
  return (id) => {
    if (nine.test(id)) return id;
    let short = written.get(id);
    for (let salt = 0; short === undefined; salt++) {
      const candidate = digest(salt === 0 ? id : `${id}\n${salt}`);
      if (!taken.has(candidate)) short = candidate;
    }
    written.set(id, short);
    taken.add(short);
    return short;
  };
}

function digest(text: string): string {
  return Array.from(
    createHash('sha256').update(text).digest().subarray(0, 9),
    (byte) => alphabet[byte % 36],
  ).join('');
}
