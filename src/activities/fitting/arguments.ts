import { activityInfo } from '@temporalio/activity';
import type { JsonObject, ModelReply, OpenAIToolCall, PlannedCall } from '../../contract.ts';
import { jsonBytes } from '../../core/json-bytes.ts';
import type { Store } from '../../stores/store.ts';
import { refusal } from '../../tools/refusal.ts';
import { putJson } from '../sealed-json.ts';
import { argumentsKey } from '../store-keys.ts';
import type { Part } from './part.ts';

/** Arguments that have less are hardly larger than what would stand for them. */
const referencedBytesMin = 1_000;

/** The arguments of each call: the message shows `{}` in their place, the tool gets them whole from the store. */
export function argumentParts({ message, plan = [] }: ModelReply, store: Store): Part[] {
  return (message.tool_calls ?? []).flatMap((call, index): Part[] => {
    const planned = plan[index];
    const bytes = planned ? sizeOf(call, planned) : 0;
    if (!planned || bytes < referencedBytesMin) return [];
    return [
      {
        kind: 'arguments',
        bytes,
        async shrink() {
          const without = await byReference(call, planned, index, store);
          const grown = jsonBytes(without) - jsonBytes({ ...planned, args: undefined });
          call.function.arguments = '{}';
          plan[index] = without;
          return bytes - grown - jsonBytes(call.function.arguments);
        },
      },
    ];
  });
}

const sizeOf = (call: OpenAIToolCall, planned: PlannedCall): number =>
  jsonBytes(call.function.arguments) + (planned.args === undefined ? 0 : jsonBytes(planned.args));

async function byReference(
  call: OpenAIToolCall,
  planned: PlannedCall,
  index: number,
  store: Store,
): Promise<PlannedCall> {
  const { args, ...rest } = planned;
  if (planned.answer) return rest;
  const { activityId, attempt, workflowExecution } = activityInfo();
  const { workflowId, runId } = workflowExecution ?? { workflowId: '', runId: '' };
  const argsRef = argumentsKey(workflowId, runId, activityId, attempt, index);
  const whole = args ?? (JSON.parse(call.function.arguments) as JsonObject);
  if (await putJson(store, argsRef, whole)) return { ...rest, argsRef };
  return {
    ...rest,
    answer: refusal(
      'ArgumentsTooLarge',
      `${call.function.name} was not run: its arguments have ${jsonBytes(whole)} bytes, and the store that keeps large ones can't be written to.`,
      'Send less at once, or write the data to a file with another tool first.',
    ),
  };
}
