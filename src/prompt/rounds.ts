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
  return changeRounds(messages, (round) => [...(round.assistant ? [round.assistant] : []), ...change(round)]);
}

/** The list with each round replaced by the messages that `change` makes of it. */
export function changeRounds(
  messages: readonly Message[],
  change: (round: Round) => readonly Message[],
): Message[] {
  const rounds: Round[] = [{ assistant: undefined, calls: [], behind: [] }];
  for (const message of messages) {
    if (message.role === 'assistant') {
      rounds.push({ assistant: message, calls: message.tool_calls ?? [], behind: [] });
    } else {
      rounds.at(-1)?.behind.push(message);
    }
  }
  return rounds.flatMap(change);
}
