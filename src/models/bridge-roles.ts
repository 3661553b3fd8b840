/** A message as it goes on the wire. */
export interface WireMessage {
  role: string;
  tool_calls?: unknown[];
  [field: string]: unknown;
}

/**
 * Neighbours that a provider refuses. `user-behind-tool`: Mistral wants to have answered a result before a user speaks
 * again. `calls-behind-assistant`: Gemini wants calls to follow a user message or a result.
 */
export type Bridge = 'none' | 'user-behind-tool' | 'calls-behind-assistant';

/** The messages with a short one between neighbours that the provider refuses. Where it stands depends on those two alone. */
export function bridged(messages: WireMessage[], bridge: Bridge): WireMessage[] {
  if (bridge === 'none') return messages;
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]?.role;
    if (bridge === 'user-behind-tool')
      return before === 'tool' && message.role === 'user' ? [noted, message] : [message];
    const isBadCall = message.tool_calls !== undefined && before !== 'user' && before !== 'tool';
    return isBadCall ? [goOn, message] : [message];
  });
}

const noted: WireMessage = { role: 'assistant', content: 'Noted.' };
const goOn: WireMessage = { role: 'user', content: 'Go on.' };
