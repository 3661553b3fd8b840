/** Something in a reply that can be made smaller. */
export interface Part {
  /** Place in `order`. */
  kind: Kind;
  bytes: number;
  /** Makes it smaller in the reply; resolves to the bytes that this saved. */
  shrink(): Promise<number> | number;
}

/** What is made smaller first: what is missed least. */
const order = [
  'arguments',
  'thinking',
  'field',
  'text',
  'resources',
  'text, cut shorter',
  'warnings',
] as const;

export type Kind = (typeof order)[number];

/**
 * The parts in the order in which they are made smaller: arguments, of which nothing is lost; what is too large even if
 * all else goes; then by kind, and the largest of a kind first.
 */
export function inOrder(parts: Part[], bytesMax: number): Part[] {
  const place = ({ kind, bytes }: Part): number => {
    if (kind === 'arguments') return -2;
    return bytes > bytesMax && kind !== 'text, cut shorter' ? -1 : order.indexOf(kind);
  };
  return parts.sort((a, b) => place(a) - place(b) || b.bytes - a.bytes);
}
