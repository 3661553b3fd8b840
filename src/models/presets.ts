import { defaultProfile } from './profile.ts';
import type { ProviderProfile } from './profile.ts';

interface Preset {
  name: string;
  /** Matched against the host and port of the base URL. */
  host?: RegExp;
  /** Matched against the model's name. */
  model?: RegExp;
  reason: string;
  profile: Partial<ProviderProfile>;
}

/** Every entry that matches applies, in this order. */
const presets: Preset[] = [
  {
    name: 'openai',
    host: /(^|\.)openai\.com$/,
    reason: 'reasoning models refuse max_tokens; several system messages are allowed',
    profile: { maxTokensField: 'max_completion_tokens', systemMessages: 'many' },
  },
  {
    name: 'deepseek',
    host: /(^|\.)deepseek\.com$/,
    reason:
      'in thinking mode a conversation with calls is refused unless reasoning_content stands in every reply, even an empty one',
    profile: { requiredOnReplies: { reasoning_content: '' } },
  },
  {
    name: 'mistral',
    host: /(^|\.)mistral\.ai$/,
    reason: 'unknown fields are refused (stream_options and reasoning_content too); usage comes unasked',
    profile: {
      includeUsage: false,
      opaqueFields: 'drop',
      contentForToolOnly: 'empty',
      toolCallIds: 'nine-alphanumeric',
      bridges: 'user-behind-tool',
    },
  },
  {
    name: 'mistral models',
    model: /(^|[/_-])((mi|mini|magi|code|dev)stral|(pix|mix|vox)tral)/i,
    reason:
      "Mistral's tokenizer takes ids of nine letters and digits only and no user message right behind a result, on every " +
      'host that runs it',
    profile: { toolCallIds: 'nine-alphanumeric', bridges: 'user-behind-tool' },
  },
  {
    name: 'gemini',
    host: /(^|\.)googleapis\.com$/,
    reason:
      'null content beside calls is refused by some versions, an absent one by none; calls have to follow a user or a result',
    profile: { contentForToolOnly: 'omit', bridges: 'calls-behind-assistant' },
  },
  {
    name: 'gemini 3',
    host: /(^|\.)googleapis\.com$/,
    model: /gemini-([3-9]|\d\d)/i,
    reason:
      "calls of other models have no thought signature and are refused without this word of Google's documentation",
    profile: {
      requiredOnFirstCall: {
        extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
      },
    },
  },
  {
    name: 'anthropic',
    host: /(^|\.)anthropic\.com$/,
    reason: 'the tools must be present once calls stand in the history',
    profile: { finalization: 'tool-choice-none', contentForToolOnly: 'omit' },
  },
  {
    name: 'ollama',
    host: /:11434$/,
    reason: 'templates of several models print null as text',
    profile: { contentForToolOnly: 'empty' },
  },
  {
    name: 'lm studio',
    host: /:1234$/,
    reason: 'null and absent content are refused',
    profile: { contentForToolOnly: 'empty' },
  },
  {
    name: 'openrouter',
    host: /(^|\.)openrouter\.ai$/,
    reason: 'hands requests to providers of every kind and adapts them itself; usage comes with the answer',
    profile: { systemMessages: 'many' },
  },
];

/** The profile of an endpoint and model: defaults, then each preset that matches, then the worker's own settings. */
export function profileFor(
  endpoint: { baseURL: string; model: string },
  settings: Partial<ProviderProfile> = {},
): ProviderProfile {
  const { host, hostname } = new URL(endpoint.baseURL);
  const matching = presets.filter(
    (preset) =>
      (!preset.host || preset.host.test(host) || preset.host.test(hostname)) &&
      (!preset.model || preset.model.test(endpoint.model)),
  );
  return Object.assign(
    {},
    defaultProfile,
    ...matching.map((preset) => preset.profile),
    settings,
  ) as ProviderProfile;
}
