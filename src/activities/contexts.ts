import { createHash } from 'node:crypto';
import type { Message } from '../contract.ts';
import type { Store } from '../stores/store.ts';

/** Characters of JSON that the contexts kept in memory may have; older ones are loaded from the store again. */
const memoryCharsMax = 64_000_000;

interface Held {
  messages: readonly Message[];
  chars: number;
}

/**
 * Contexts by digest. Each is a node that names the context before it and holds only what was added, so the store grows
 * linearly too; a context in memory is found at once, any other by walking its nodes.
 */
export class Contexts {
  readonly #store: Store;
  readonly #held = new Map<string, Held>();
  #heldChars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** All messages of a context; undefined when a node of it is gone. */
  async load(id: string): Promise<readonly Message[] | undefined> {
    const added: Message[][] = [];
    for (let next: string | undefined = id; next !== undefined;) {
      const held = this.#held.get(next);
      if (held) {
        const messages = held.messages.concat(...added.reverse());
        return this.#hold(id, messages, held.chars + lengthOf(added)).messages;
      }
      const node = await this.#node(next);
      if (node === undefined) return undefined;
      added.push(node.messages);
      next = node.parent;
    }
    return this.#hold(id, added.reverse().flat(), lengthOf(added)).messages;
  }

  /** The context of `base` (undefined: the empty one) with messages added; kept in memory at once, in the store soon. */
  async extend(
    base: { id: string; messages: readonly Message[] } | undefined,
    added: Message[],
  ): Promise<{ id: string; messages: readonly Message[] }> {
    if (added.length === 0 && base) return base;
    const json = JSON.stringify({ parent: base?.id, messages: added });
    const id = createHash('sha256').update(json).digest('base64url').slice(0, 22);
    const before = base === undefined ? undefined : this.#held.get(base.id);
    const chars = (before?.chars ?? (base ? lengthOf([base.messages]) : 0)) + json.length;
    const { messages } = this.#hold(id, [...(base?.messages ?? []), ...added], chars);
    await this.#store.put(`context/${id}`, new TextEncoder().encode(json));
    return { id, messages };
  }

  /** Forgets what is in memory. */
  forget(): void {
    this.#held.clear();
    this.#heldChars = 0;
  }

  async #node(id: string): Promise<{ parent?: string; messages: Message[] } | undefined> {
    const bytes = await this.#store.get(`context/${id}`);
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as { parent?: string; messages: Message[] });
  }

  #hold(id: string, messages: readonly Message[], chars: number): Held {
    const before = this.#held.get(id);
    if (before) this.#heldChars -= before.chars;
    this.#held.delete(id);
    const held = { messages, chars };
    this.#held.set(id, held);
    this.#heldChars += chars;
    for (const [oldest, { chars: freed }] of this.#held) {
      if (this.#heldChars <= memoryCharsMax || oldest === id) break;
      this.#held.delete(oldest);
      this.#heldChars -= freed;
    }
    return held;
  }
}

const lengthOf = (lists: readonly (readonly Message[])[]): number =>
  lists.reduce((sum, list) => sum + JSON.stringify(list).length, 0);
