import type { InjectedMessage } from '../../contract.ts';
import { isMessagePart } from '../../core/parts.ts';
import type { RunEvent } from '../../core/turn.ts';
import { isContent } from '../../core/content.ts';

type MessageEvent = Omit<Extract<RunEvent, { kind: 'message-received' }>, 'at'>;
type PartEvent = Omit<Extract<RunEvent, { kind: 'part-received' }>, 'at'>;

/** What signal `inject` with this payload told the core (`workflows/messages.ts`); undefined for one that is ignored. */
export function messageEvent(payload: unknown, madeId: string): MessageEvent | PartEvent | undefined {
  if (isMessagePart(payload)) return { kind: 'part-received', part: payload };
  const message = (typeof payload === 'string' ? { content: payload } : payload) as
    Partial<InjectedMessage> | null | undefined;
  if (!isContent(message?.content)) return undefined;
  return {
    kind: 'message-received',
    message: {
      id: typeof message.id === 'string' && message.id !== '' ? message.id : madeId,
      content: message.content,
      ...(message.interrupt === true ? { interrupt: true } : {}),
    },
  };
}
