import type {
  AssistantMessage,
  Content,
  ContentPart,
  Message,
  Origin,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from '../contract.ts';
import { deepWellFormed, wellFormed, wellFormedMessage } from '../text/well-formed.ts';
import { bridged, type WireMessage } from './bridge-roles.ts';
import type { ModelRequest } from './model.ts';
import { callOpaque, functionOpaque, messageOpaque } from './opaque-fields.ts';
import type { ProviderProfile } from './profile.ts';
import { contentText } from './read-content.ts';
import { nineAlphanumeric } from './wire-ids.ts';

/**
 * The body of a chat-completions request. Messages come in legal order (`prompt/` sees to that); here they get the form
 * this provider wants. Opaque fields go only to the provider and model that wrote them.
 */
export function toWire(
  request: Pick<ModelRequest, 'model' | 'messages' | 'tools' | 'textOnly'>,
  provider: string,
  profile: ProviderProfile,
): Record<string, unknown> {
  const { model, tools } = request;
  const offered = request.textOnly && profile.finalization === 'omit-tools' ? [] : tools;
  const messages = request.messages.map(wellFormedMessage);
  const settings = deepWellFormed({
    ...(offered.length > 0 && {
      tools: offered.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
      ...(request.textOnly && { tool_choice: 'none' }),
    }),
    ...(profile.stream && {
      stream: true,
      ...(profile.includeUsage && { stream_options: { include_usage: true } }),
    }),
    ...(profile.maxTokens !== undefined && { [profile.maxTokensField]: profile.maxTokens }),
    ...profile.body,
  });
  return {
    model: wellFormed(model),
    messages: bridged(wireMessages(messages, { provider, model }, profile), profile.bridges),
    ...settings,
  };
}

function wireMessages(messages: Message[], to: Origin, profile: ProviderProfile): WireMessage[] {
  const real = messages.filter((message) => !(message.role === 'assistant' && message.placeholder));
  const idOf = profile.toolCallIds === 'keep' ? (id: string): string => id : nineAlphanumeric(idsOf(real));
  const system = real.filter((message) => message.role === 'system');
  const one = profile.systemMessages === 'one' && system.length > 0;
  const systemTexts = system.map(systemText).filter((text) => text.trim() !== '');
  // Only text goes into the one message; without any it would be refused as blank.
  const wire: WireMessage[] =
    one && systemTexts.length > 0 ? [{ role: 'system', content: systemTexts.join('\n\n') }] : [];

  let moved: ContentPart[] = [];
  for (const message of real) {
    if (message.role === 'tool') {
      const { text, rest } =
        profile.toolContent === 'parts' ? { text: message.content, rest: [] } : textOnly(message);
      wire.push({ role: 'tool', tool_call_id: idOf(message.tool_call_id), content: text });
      if (rest.length > 0) {
        moved.push({ type: 'text', text: `Returned by tool call ${idOf(message.tool_call_id)}:` }, ...rest);
      }
      continue;
    }
    // What tool messages can't hold stands behind the whole round, in the user message that follows or in its own.
    const withParts: Message = message.role === 'user' ? prefixed(message, moved) : message;
    if (message.role !== 'user' && moved.length > 0) wire.push({ role: 'user', content: moved });
    moved = [];
    if (withParts.role === 'assistant') wire.push(knownAssistant(withParts, to, profile, idOf));
    else if (withParts.role === 'user') wire.push({ ...withParts });
    else if (!one) wire.push({ role: 'system', content: withParts.content });
  }
  if (moved.length > 0) wire.push({ role: 'user', content: moved });
  return wire;
}

/** A conversation's messages are the same objects from request to request, so each is worked out once. */
function knownAssistant(
  message: AssistantMessage,
  to: Origin,
  profile: ProviderProfile,
  idOf: (id: string) => string,
): WireMessage {
  // Other ids are given by all messages of a request.
  if (profile.toolCallIds !== 'keep') return wireAssistant(message, to, profile, idOf);
  const known = wired.get(message);
  if (known?.profile === profile && known.to.provider === to.provider && known.to.model === to.model)
    return known.wire;
  const wire = wireAssistant(message, to, profile, idOf);
  wired.set(message, { to, profile, wire });
  return wire;
}

const wired = new WeakMap<AssistantMessage, { to: Origin; profile: ProviderProfile; wire: WireMessage }>();

function wireAssistant(
  message: AssistantMessage,
  to: Origin,
  profile: ProviderProfile,
  idOf: (id: string) => string,
): WireMessage {
  const own = message.origin?.provider === to.provider && message.origin.model === to.model;
  const echo = own && profile.opaqueFields === 'echo';
  // Parts of a foreign reply (images, thinking) are for those who wrote them; the text is for everybody.
  const content = echo || typeof message.content === 'string' ? message.content : textOfForeign(message);
  const blank = contentText(content).trim() === '' && (typeof content === 'string' || !content?.length);
  const calls = message.tool_calls ?? [];
  const head = { ...profile.requiredOnReplies, role: 'assistant', ...(echo && messageOpaque(message)) };
  // A refusal is the reply's text; the field itself is OpenAI's own.
  if (calls.length === 0) return { ...head, content: blank ? (message.refusal ?? '') : content };
  return {
    ...head,
    ...(blank ? toolOnlyContent[profile.contentForToolOnly] : { content }),
    tool_calls: calls.map((call, index) => ({
      ...(index === 0 && profile.requiredOnFirstCall),
      ...(echo && callOpaque(call)),
      id: idOf(call.id),
      type: 'function',
      function: {
        ...(echo && functionOpaque(call.function)),
        name: call.function.name,
        arguments: call.function.arguments,
      },
    })),
  };
}

/** A reply that was nothing but an image is still a reply: without a text it would be refused as blank. */
function textOfForeign({ content, tool_calls }: AssistantMessage): string {
  const text = contentText(content);
  if (text.trim() !== '' || tool_calls?.length || !Array.isArray(content)) return text;
  return content.map(({ type }) => `[${type}]`).join(' ');
}

const toolOnlyContent = { null: { content: null }, empty: { content: '' }, omit: {} };

function idsOf(messages: Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [message.tool_call_id];
    return message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [];
  });
}

const systemText = (message: SystemMessage): string => contentText(message.content);

/** Kinds of parts that a user message can hold. */
const media = new Set(['image_url', 'input_audio', 'file', 'video_url']);

/** A tool message's text, with structured parts as JSON, and the parts that have to stand elsewhere. */
function textOnly(message: ToolMessage): { text: string; rest: ContentPart[] } {
  if (typeof message.content === 'string') return { text: message.content, rest: [] };
  const rest = message.content.filter((part) => media.has(part.type));
  const texts = message.content
    .filter((part) => !media.has(part.type))
    .map((part) => contentText([part]) || JSON.stringify(part));
  return { text: texts.join('\n') || 'The result follows in the next user message.', rest };
}

function prefixed(message: UserMessage, parts: ContentPart[]): UserMessage {
  if (parts.length === 0) return message;
  const own: Content = message.content;
  return {
    ...message,
    content: [...parts, ...(typeof own === 'string' ? [{ type: 'text' as const, text: own }] : own)],
  };
}
