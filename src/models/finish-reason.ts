import type { FinishReason } from '../contract.ts';

const synonyms: Record<Exclude<FinishReason, 'other'>, string[]> = {
  stop: [
    'stop',
    'end_turn',
    'stop_sequence',
    'end',
    'eos',
    'eos_token',
    'complete',
    'completed',
    'finished',
    'normal',
  ],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call', 'function_calls'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'max_length',
    'model_length',
    'model_context_window_exceeded',
  ],
  content_filter: [
    'content_filter',
    'content_filtered',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'sensitive',
  ],
  refusal: ['refusal', 'refused'],
  // DeepSeek's and Zhipu's words for "our side broke", and Gemini's for a call it couldn't write.
  error: ['error', 'insufficient_system_resource', 'network_error', 'malformed_function_call'],
};

const known = new Map(
  Object.entries(synonyms).flatMap(([reason, words]) => words.map((word) => [word, reason as FinishReason])),
);

/**
 * Why a model stopped (turn-semantics §8): read without regard to case, by synonyms. A refusal wins over whatever reason
 * stands beside it; without a reason it is `tool_calls` when there are calls, else `stop`.
 */
export function readFinish(
  raw: unknown,
  reply: { refusal: boolean; calls: boolean },
): { finish: FinishReason; finishRaw?: string } {
  if (reply.refusal) return { finish: 'refusal' };
  const word = typeof raw === 'string' ? raw.trim() : '';
  if (word === '') return { finish: reply.calls ? 'tool_calls' : 'stop' };
  const finish = known.get(word.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  return finish ? { finish } : { finish: 'other', finishRaw: word };
}
