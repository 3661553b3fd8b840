import type { ModelReply, OpenAIToolCall, PlannedCall } from '../../contract.ts';
import { jsonBytes } from '../../core/json-bytes.ts';
import type { LeftOut } from './left-out.ts';
import type { Part } from './part.ts';

/** What a call touches. A call that names nothing and isn't safe runs alone, which is always right. */
export function resourceParts({ plan = [] }: ModelReply, leftOut: LeftOut): Part[] {
  return plan.flatMap(({ reads, writes }, index): Part[] => {
    if (reads === undefined && writes === undefined) return [];
    const bytes = jsonBytes(reads) + jsonBytes(writes);
    return [
      {
        kind: 'resources',
        bytes,
        shrink() {
          const planned = plan[index]!;
          delete planned.reads;
          delete planned.writes;
          delete planned.safe;
          leftOut.add(`resources of call ${index + 1}, which runs alone`, bytes);
          return bytes;
        },
      },
    ];
  });
}

/**
 * The last resort, for calls that are too many or have names and ids that fill a history: the largest go until enough is
 * saved, of equal ones the last. They never run.
 */
export function dropCalls(reply: ModelReply, bytesToSave: number): string[] {
  if (bytesToSave <= 0) return [];
  const calls = reply.message.tool_calls ?? [];
  const { plan = [] } = reply;
  const bySize = calls
    .map((call, index) => ({ index, bytes: jsonBytes(call) + jsonBytes(plan[index]) + 2 }))
    .sort((a, b) => b.bytes - a.bytes || b.index - a.index);
  const dropped = new Set<number>();
  let saved = 0;
  for (const { index, bytes } of bySize) {
    if (saved >= bytesToSave) break;
    dropped.add(index);
    saved += bytes;
  }
  const stays = (_: OpenAIToolCall | PlannedCall, index: number): boolean => !dropped.has(index);
  reply.message.tool_calls = calls.filter(stays);
  reply.plan = plan.filter(stays);
  if (dropped.size === calls.length) {
    delete reply.message.tool_calls;
    delete reply.plan;
  }
  return [`${dropped.size} of ${calls.length} call(s) dropped: the reply was too large for the history`];
}
