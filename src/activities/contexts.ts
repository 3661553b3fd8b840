import type { AssistantMessage, Fragment, Message, ModelReply } from '../contract.ts';
import type { Store } from '../stores/store.ts';
import { getJson, putJson } from './sealed-json.ts';
import { contextKey, storeDigest } from './store-keys.ts';

/** Characters of JSON that the contexts kept in memory may have; older ones are loaded from the store again. */
const memoryCharsMax = 64_000_000;

/** What a context is made of: messages, and pieces of messages that were too large for one payload. */
export type ContextItem = Message | Fragment;

/** A context as it is used: whole messages, and the text of one that isn't whole yet. */
export interface HeldContext {
  id: string;
  messages: readonly Message[];
  open?: string;
  /** It is in memory only: what it adds to the context named by `parent`. */
  unsaved?: Node;
}

interface Node {
  parent?: string;
  items: ContextItem[];
}

/** A node that a reply made; its message is the last item when `reply` doesn't say otherwise. */
interface ReplyNode extends Node {
  reply: Omit<ModelReply, 'message'> & { message?: AssistantMessage };
}

/**
 * Contexts by id. Each is a node that names the context before it and holds only what was added, so the store grows
 * linearly too; a context in memory is found at once, any other by walking its nodes.
 */
export class Contexts {
  readonly #store: Store;
  readonly #held = new Map<string, { context: HeldContext; chars: number }>();
  readonly #writing = new Map<string, Promise<void>>();
  #heldChars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A context as it was made by `extend`; undefined when a node of it is gone. The empty id names the empty context. */
  async load(id: string): Promise<HeldContext | undefined> {
    if (id === '') return { id, messages: [] };
    const added: ContextItem[][] = [];
    let before: HeldContext | undefined;
    for (let next: string | undefined = id; next !== undefined;) {
      before = this.#held.get(next)?.context;
      if (before) break;
      const node: Node | undefined = await getJson<Node>(this.#store, contextKey(next));
      if (node === undefined) return undefined;
      added.push(node.items);
      next = node.parent;
    }
    if (added.length === 0 && before) return this.#hold(before, 0);
    const items = added.reverse().flat();
    return this.#hold(joined(id, before, items), charsOf(items) + this.#charsHeld(before));
  }

  /**
   * The context of `before` (undefined: the empty one) with items added, by its digest: in memory at once, in the store
   * once `written` says so. What was asked stays in memory as a rule: the context of the reply holds it too.
   */
  extend(
    before: HeldContext | undefined,
    added: ContextItem[],
    where: 'memory' | 'store' = 'store',
  ): HeldContext {
    if (added.length === 0 && before) return before;
    const node = nodeOf(before, added);
    const json = JSON.stringify(node);
    const id = storeDigest(json);
    const made = joined(id, before, added);
    const unsaved = where === 'memory' ? { ...made, unsaved: node } : made;
    const context = this.#hold(unsaved, json.length + this.#charsHeld(before));
    if (where === 'store') this.#put(id, node);
    return context;
  }

  /** Puts a context into the store, if it was made in memory only, and resolves once it is there. */
  async save({ id, unsaved }: HeldContext): Promise<void> {
    if (unsaved) this.#put(id, unsaved);
    await this.written(id);
  }

  /**
   * The context of a reply, in one record with the reply itself: what was asked, and the message as it came. Its id is not
   * a digest but names the attempt, so that a later one finds what was paid for. Resolves once the store has it.
   */
  async keepReply(asked: HeldContext, message: AssistantMessage, reply: ModelReply): Promise<void> {
    const { id } = reply.context;
    const node = nodeOf(asked, [message]);
    // The attempts of an activity that somebody resets are counted from 1 again: the id may have been another reply's.
    this.#drop(id);
    this.#hold(joined(id, asked, [message]), JSON.stringify(message).length + this.#charsHeld(asked));
    const { message: entered, ...rest } = reply;
    this.#put(id, { ...node, reply: entered === message ? rest : reply } satisfies ReplyNode);
    await this.written(id);
  }

  /** A reply that was kept under this id. */
  async reply(id: string): Promise<ModelReply | undefined> {
    const node = await getJson<ReplyNode>(this.#store, contextKey(id));
    return node && { message: node.items.at(-1) as AssistantMessage, ...node.reply };
  }

  #put(id: string, node: Node | ReplyNode): void {
    const writing = putJson(this.#store, contextKey(id), node).then(() => {
      if (this.#writing.get(id) === writing) this.#writing.delete(id);
    });
    this.#writing.set(id, writing);
  }

  /** Resolves when a context that was just made is in the store, or couldn't be put there. */
  async written(id: string): Promise<void> {
    await this.#writing.get(id);
  }

  /** Forgets what is in memory. */
  forget(): void {
    this.#held.clear();
    this.#heldChars = 0;
  }

  #charsHeld(context: HeldContext | undefined): number {
    if (context === undefined) return 0;
    return this.#held.get(context.id)?.chars ?? charsOf([...context.messages]);
  }

  #hold(context: HeldContext, chars: number): HeldContext {
    const known = this.#held.get(context.id);
    this.#held.delete(context.id);
    const kept = known ?? { context, chars };
    this.#held.set(context.id, kept);
    if (!known) this.#heldChars += chars;
    for (const oldest of this.#held.keys()) {
      if (this.#heldChars <= memoryCharsMax || oldest === context.id) break;
      this.#drop(oldest);
    }
    return kept.context;
  }

  #drop(id: string): void {
    this.#heldChars -= this.#held.get(id)?.chars ?? 0;
    this.#held.delete(id);
  }
}

/** What a node of the store holds: all that was added since a context that is in the store. */
const nodeOf = (before: HeldContext | undefined, added: ContextItem[]): Node =>
  before?.unsaved
    ? { ...before.unsaved, items: [...before.unsaved.items, ...added] }
    : { ...(before === undefined || before.id === '' ? {} : { parent: before.id }), items: added };

function joined(id: string, before: HeldContext | undefined, added: ContextItem[]): HeldContext {
  const messages = [...(before?.messages ?? [])];
  let { open } = before ?? {};
  for (const item of added) {
    if (!('fragment' in item)) {
      messages.push(item as Message);
      continue;
    }
    open = `${open ?? ''}${String(item.fragment)}`;
    if (!item['last']) continue;
    messages.push(JSON.parse(open) as Message);
    open = undefined;
  }
  return open === undefined ? { id, messages } : { id, messages, open };
}

const charsOf = (items: ContextItem[]): number => JSON.stringify(items).length;
