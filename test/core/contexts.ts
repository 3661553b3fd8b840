import type {
  Appended,
  ContextRef,
  Message,
  ModelReply,
  ResultRef,
  ToolOutcome,
} from '../../src/contract.ts';
import type { Step } from '../../src/core/turn.ts';
import { toolMessage } from '../../src/core/tool-message.ts';
import { prepare } from '../../src/prompt/prepare.ts';
import { findIllegal } from '../../src/testing/legal-transcript.ts';

/** The model activity's side of the delta context: contexts by id, and the results that stand in the history. */
export class Contexts {
  #contexts = new Map<string, Message[]>();
  #results = new Map<string, ToolOutcome>();

  record(key: string, outcome: ToolOutcome): void {
    this.#results.set(key, outcome);
  }

  /** The messages that a request means; they have to be the transcript's, and legal for a strict provider. */
  resolve({ base, append }: Extract<Step, { kind: 'call-model' }>, transcript: Message[]): Message[] {
    // Nobody has what the runs before have kept: the request means the place of those messages.
    const lost = base?.id === '';
    const before = base === undefined ? [] : lost ? transcript.slice(0, base.entries) : this.#load(base);
    if ((base === undefined || lost) && append.some(isReference))
      throw new Error('a result goes by reference without a base');
    const messages = [...before, ...append.map((one) => this.#whole(one))];
    if (messages.length !== transcript.length) {
      throw new Error(
        `the request means ${messages.length} messages, the transcript has ${transcript.length}`,
      );
    }
    messages.forEach((message, index) => {
      const kept = transcript[index];
      if (message !== kept && JSON.stringify(message) !== JSON.stringify(kept)) {
        throw new Error(`the request and the transcript differ in message ${index}`);
      }
    });
    const illegal = findIllegal(prepare(messages));
    if (illegal !== undefined) throw new Error(`the request is illegal: ${illegal}`);
    return transcript;
  }

  keep(asked: Message[], message: Message): Pick<ModelReply, 'asked' | 'context'> {
    const id = `${this.#contexts.size}`;
    this.#contexts.set(`asked ${id}`, asked);
    this.#contexts.set(`replied ${id}`, [...asked, message]);
    return { asked: `asked ${id}`, context: { id: `replied ${id}`, entries: asked.length + 1 } };
  }

  #load(base: ContextRef): Message[] {
    const messages = this.#contexts.get(base.id);
    if (messages === undefined) throw new Error(`nobody kept a context ${base.id}`);
    if (messages.length !== base.entries) {
      throw new Error(`context ${base.id} has ${messages.length} messages, the base says ${base.entries}`);
    }
    return messages;
  }

  #whole(appended: Appended): Message {
    if ('fragment' in appended) throw new Error('a fragment is sent, though every message fits');
    if (!isReference(appended)) return appended;
    const outcome = this.#results.get(appended.ref);
    if (outcome === undefined) throw new Error(`no result ${appended.ref} stands in the history`);
    return toolMessage(appended.id, outcome.text, appended.note);
  }
}

const isReference = (appended: Appended): appended is ResultRef => 'ref' in appended;
