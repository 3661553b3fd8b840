import { activityInfo } from '@temporalio/activity';
import type { ModelReply } from '../../contract.ts';
import { jsonBytes } from '../../core/json-bytes.ts';
import { textOf } from '../../core/reply.ts';
import type { Store } from '../../stores/store.ts';
import { codePoints, firstCodePoints } from '../../tools/code-points.ts';
import { replyKey, replyRef } from '../../tools/result-key.ts';
import { withText } from './content.ts';
import type { Part } from './part.ts';

/** Code points of a text that enter the history, when the whole reply is too large. */
const charsMax = 100_000;

/** The same when that is still too much: several texts, in a script with many bytes a character. */
const fewerCharsMax = 10_000;

/** A text of a reply: where it stands, and what its note says besides how much is left of it. */
interface Text {
  whole: string;
  kind: 'thinking' | 'text';
  put(text: string): void;
  note?(): Promise<string>;
}

/** What the model wrote and thought. A text is cut with a note; an answer or a refusal goes whole to the store. */
export function textParts(reply: ModelReply, store: Store): Part[] {
  const { message } = reply;
  const content = textOf(message.content);
  const stored = once(() => storedNote(store, reply.context.id, content || (message.refusal ?? '')));
  const texts: Text[] = [
    { whole: reply.thinking ?? '', kind: 'thinking', put: (text) => (reply.thinking = text) },
    { whole: reply.finishRaw ?? '', kind: 'thinking', put: (text) => (reply.finishRaw = text) },
    {
      whole: content,
      kind: 'text',
      put: (text) => (message.content = withText(message.content, text)),
      note: stored,
    },
    {
      whole: message.refusal ?? '',
      kind: 'text',
      put: (text) => (message.refusal = text),
      // A refusal stands in the content too.
      ...(content === '' || content === message.refusal ? { note: stored } : {}),
    },
    ...(reply.plan ?? []).flatMap(({ approval }, index): Text[] => {
      if (typeof approval !== 'string') return [];
      return [{ whole: approval, kind: 'text', put: (text) => (reply.plan![index]!.approval = text) }];
    }),
  ];
  return texts.flatMap(({ whole, kind, put, note }) => {
    let now = whole;
    const cutTo = async (max: number): Promise<number> => {
      const start = firstCodePoints(whole, max);
      if (start.length === whole.length) return 0;
      const before = jsonBytes(now);
      now = `${start}\n[cut: ${codePoints(whole)} characters, of which the first ${max} are kept${(await note?.()) ?? ''}]`;
      put(now);
      return before - jsonBytes(now);
    };
    const bytes = jsonBytes(whole);
    return [
      { kind, bytes, shrink: () => cutTo(charsMax) },
      { kind: 'text, cut shorter', bytes, shrink: () => cutTo(fewerCharsMax) },
    ];
  });
}

async function storedNote(store: Store, id: string, text: string): Promise<string> {
  const workflowId = activityInfo().workflowExecution?.workflowId ?? '';
  const ref = replyRef(id);
  return (await store.put(replyKey(workflowId, ref), Buffer.from(text, 'utf8')))
    ? ` · read_result("${ref}")`
    : '; the whole could not be stored and is lost';
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
