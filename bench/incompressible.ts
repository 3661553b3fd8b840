import { createHash } from 'node:crypto';

/** Text of exactly `chars` ASCII characters that no compression makes smaller; the same for the same key. */
export function incompressible(key: string, chars: number): string {
  let text = '';
  for (let part = 0; text.length < chars; part++)
    text += createHash('sha512').update(`${key} ${part}`).digest('base64url');
  return text.slice(0, chars);
}
