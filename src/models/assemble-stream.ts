import { badReply } from './errors.ts';
import type { ErrorContext } from './errors.ts';
import { ModelError } from './model-error.ts';
import { mergeOpaque, messageOpaque } from './opaque-fields.ts';
import { isObject } from './raw-completion.ts';
import type { RawCompletion } from './raw-completion.ts';
import { throwIfError } from './read-completion.ts';
import { streamedCalls } from './streamed-calls.ts';
import { contentText } from './read-content.ts';

/** Puts a streamed completion together. */
export interface StreamAssembly {
  /**
   * Takes the data of one event and returns the text in it. Throws a `ModelError` if it is an error.
   */
  add(data: string): string;
  /** True once the completion is known to be whole: a finish reason came, or `[DONE]`, or the closing usage chunk. */
  complete(): boolean;
  /** True once nothing more will come. */
  done(): boolean;
  /** True once a piece of the answer came. */
  began(): boolean;
  /** The text so far. */
  text(): string;
  /** The completion; throws `stream_cut` if the stream just stopped and `bad_reply` if it never began. */
  result(): RawCompletion;
}

export function assembleStream(context: ErrorContext): StreamAssembly {
  const calls = streamedCalls();
  let content = '';
  let otherParts: unknown[] = [];
  let refusal = '';
  let opaque: Record<string, unknown> = {};
  let finish: unknown;
  let usage: unknown;
  let began = false;
  let done = false;
  let closed = false;

  return {
    add(data) {
      if (data.trim() === '[DONE]') {
        done = true;
        return '';
      }
      let chunk: unknown;
      try {
        chunk = JSON.parse(data);
      } catch {
        throw badReply(`a piece of its stream is no JSON: ${data.slice(0, 200)}`, context);
      }
      throwIfError(chunk, context);
      if (!isObject(chunk)) return '';
      if (isObject(chunk['usage'])) usage = chunk['usage'];
      const choices = Array.isArray(chunk['choices']) ? chunk['choices'].filter(isObject) : [];
      if (choices.length === 0) {
        if (isObject(chunk['usage'])) closed = true;
        return '';
      }
      const choice = choices.find((one) => (one['index'] ?? 0) === 0);
      if (!choice) return '';
      throwIfError(choice, context);
      began = true;
      if (choice['finish_reason'] !== null && choice['finish_reason'] !== undefined)
        finish = choice['finish_reason'];
      // A few servers write `message` where the format has `delta`.
      const delta = isObject(choice['delta']) ? choice['delta'] : choice['message'];
      if (!isObject(delta)) return '';

      const text = contentText(delta['content']);
      content += text;
      if (Array.isArray(delta['content'])) {
        otherParts = otherParts.concat(delta['content'].filter((part) => contentText([part]) === ''));
      }
      if (typeof delta['refusal'] === 'string') refusal += delta['refusal'];
      if (Array.isArray(delta['tool_calls'])) delta['tool_calls'].forEach(calls.add);
      if (isObject(delta['function_call'])) calls.add({ index: 0, function: delta['function_call'] });
      opaque = mergeOpaque(opaque, messageOpaque(delta));
      return text;
    },
    complete: () => finish !== undefined || done || closed,
    done: () => done,
    began: () => began,
    text: () => content,
    result() {
      if (!began) throw badReply('its stream holds no choices', context);
      if (!(finish !== undefined || done || closed)) {
        throw new ModelError(
          'stream_cut',
          `${context.provider}: the stream stopped before the answer was whole`,
          {
            transient: true,
          },
        );
      }
      return {
        message: {
          ...opaque,
          content: otherParts.length > 0 ? [{ type: 'text', text: content }, ...otherParts] : content,
          ...(refusal !== '' && { refusal }),
          tool_calls: calls.list(),
        },
        finish,
        usage,
      };
    },
  };
}
