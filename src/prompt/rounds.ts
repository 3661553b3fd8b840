import type { AssistantMessage, Message, OpenAIToolCall } from '../contract.ts';

/** An assistant message with what follows it up to the next one. Only the first round of a list can be without one. */
export interface Round {
  assistant: AssistantMessage | undefined;
  /** The calls that the assistant message declares, in its order. */
  calls: OpenAIToolCall[];
  /** Tool, user and system messages behind it, in their order. */
  behind: Message[];
}

/** The list with what stands behind each assistant message replaced by what `change` makes of it. */
export function changeBehind(
  messages: readonly Message[],
  change: (round: Round) => readonly Message[],
): Message[] {
  return changeRounds(messages, (round) => {
    const behind = change(round);
    return round.assistant ? [round.assistant, ...behind] : behind;
  });
}

/** The list with each round replaced by the messages that `change` makes of it. */
export function changeRounds(
  messages: readonly Message[],
  change: (round: Round) => readonly Message[],
): Message[] {
  const changed: Message[] = [];
  let round: Round = { assistant: undefined, calls: [], behind: [] };
  for (const message of messages) {
    if (message.role !== 'assistant') {
      round.behind.push(message);
      continue;
    }
    for (const each of change(round)) changed.push(each);
    round = { assistant: message, calls: message.tool_calls ?? [], behind: [] };
  }
  for (const each of change(round)) changed.push(each);
  return changed;
}

/** Whether there is one result for each call, in their order and before anything else, as nearly always. */
export const isInOrder = ({ calls, behind }: Round): boolean =>
  calls.length <= behind.length &&
  behind.every((message, index) => {
    const call = calls[index];
    return call === undefined
      ? message.role !== 'tool'
      : message.role === 'tool' && message.tool_call_id === call.id;
  });
