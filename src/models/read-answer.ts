import type { AssistantMessage, Origin, Usage } from '../contract.ts';
import { deepWellFormed } from '../text/well-formed.ts';
import type { ErrorContext } from './errors.ts';
import { readFinish } from './finish-reason.ts';
import { ModelError } from './model-error.ts';
import type { ModelAnswer } from './model.ts';
import { messageOpaque } from './opaque-fields.ts';
import type { RawCompletion } from './raw-completion.ts';
import { readContent, reasoningText } from './read-content.ts';
import { readToolCalls } from './tool-calls.ts';

/**
 * A raw completion as the rest of turnloop sees it, its provider's oddities read away. Throws a transient `ModelError`
 * when the provider itself says that it broke off (`finish_reason: error`).
 */
export function readAnswer(
  raw: RawCompletion,
  origin: Origin,
  usageOf: (usage: unknown, completion: string) => Usage,
  context: ErrorContext,
): ModelAnswer {
  const message = deepWellFormed(raw.message);
  const { content, text, thinking } = readContent(message['content']);
  const calls = readToolCalls(message);
  const refusal =
    typeof message['refusal'] === 'string' && message['refusal'].trim() !== ''
      ? message['refusal']
      : undefined;
  const finish = readFinish(raw.finish, { refusal: refusal !== undefined, calls: calls.length > 0 });
  if (finish.finish === 'error') {
    throw new ModelError(
      'finish_error',
      `${context.provider} broke off its answer with finish reason ${JSON.stringify(raw.finish)}`,
      // A provider that is broken is waited for; a call that it can't put into words is the model's, and rarely gets better.
      { transient: true, triesMax: /malformed/i.test(String(raw.finish)) ? 3 : undefined },
    );
  }
  const thoughts = [reasoningText(message), thinking ?? '']
    .filter((thought) => thought.trim() !== '')
    .join('\n\n');
  const reply: AssistantMessage = {
    role: 'assistant',
    content: refusal ?? content,
    ...(refusal !== undefined && { refusal }),
    ...messageOpaque(message),
    origin,
  };
  const written = [
    text,
    refusal ?? '',
    thoughts,
    ...calls.map((call) => `${call.name} ${JSON.stringify(call.arguments ?? '')}`),
  ];
  return {
    message: reply,
    calls,
    ...finish,
    ...(thoughts !== '' && { thinking: thoughts }),
    usage: usageOf(raw.usage, written.join('\n')),
  };
}

/** What had arrived when the request was cancelled: text only. Calls and opaque fields may have been cut off, so they go. */
export function interruptedAnswer(
  soFar: string,
  origin: Origin,
  usageOf: (usage: unknown, completion: string) => Usage,
): ModelAnswer {
  const { content, thinking } = readContent(deepWellFormed(soFar));
  return {
    message: { role: 'assistant', content, origin },
    calls: [],
    finish: 'stop',
    ...(thinking !== undefined && { thinking }),
    usage: usageOf(undefined, soFar),
    interrupted: true,
  };
}
