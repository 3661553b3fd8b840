import type { Bridge } from './bridge-roles.ts';

/** Price of a model in US dollars per million tokens. `cached`: prompt tokens read from the provider's cache; default `prompt`. */
export interface Price {
  prompt: number;
  cached?: number;
  completion: number;
}

/** How an OpenAI-compatible provider differs from the others. `presets.ts` knows the common ones. */
export interface ProviderProfile {
  /** Ask for a stream. Text arrives as it is written, and a silent connection is noticed. */
  stream: boolean;
  /** Ask for usage in a stream by `stream_options`. */
  includeUsage: boolean;
  /** Content of an assistant message that has calls and no text. Each of the three is refused by somebody. */
  contentForToolOnly: 'null' | 'empty' | 'omit';
  /** `nine-alphanumeric`: ids of another form are rewritten, in the call and in its answer alike. */
  toolCallIds: 'keep' | 'nine-alphanumeric';
  /** How a request for text only is made: without tools, or with them and `tool_choice: none`. */
  finalization: 'omit-tools' | 'tool-choice-none';
  /** `one`: all system messages become one at the front. */
  systemMessages: 'one' | 'many';
  /** `text`: images and files of tool messages follow in one user message behind the round. */
  toolContent: 'text' | 'parts';
  /** `echo`: fields of the provider's own go back to it with the message they came with. */
  opaqueFields: 'echo' | 'drop';
  /** Fields that every assistant message must have, with the value for those that came without. */
  requiredOnReplies: Record<string, unknown>;
  /** Fields beside `function` that the first call of each message must have, with the value for those that came without. */
  requiredOnFirstCall: Record<string, unknown>;
  /** Neighbours that this provider refuses; a short message between them makes them legal. */
  bridges: Bridge;
  /** Longest answer in tokens; absent: the provider's own limit. */
  maxTokens?: number;
  /** Name of that field. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** More fields of the request body (`temperature`, `reasoning_effort` …); they go before ours. */
  body: Record<string, unknown>;
  /** Without a price no cost is counted. */
  price?: Price | ((model: string) => Price | undefined);
}

/** What an unknown endpoint gets: the choice that the fewest refuse. */
export const defaultProfile: ProviderProfile = {
  stream: true,
  includeUsage: true,
  contentForToolOnly: 'null',
  toolCallIds: 'keep',
  finalization: 'omit-tools',
  systemMessages: 'one',
  toolContent: 'text',
  opaqueFields: 'echo',
  requiredOnReplies: {},
  requiredOnFirstCall: {},
  bridges: 'none',
  maxTokensField: 'max_tokens',
  body: {},
};
