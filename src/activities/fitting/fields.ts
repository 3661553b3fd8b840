import type { ModelReply } from '../../contract.ts';
import { jsonBytes } from '../../core/json-bytes.ts';
import { callOpaque, functionOpaque, messageOpaque } from '../../models/opaque-fields.ts';
import type { LeftOut } from './left-out.ts';
import type { Part } from './part.ts';

/** Fields of the provider's own. They may be signed, so they stay or go as a whole. */
export function fieldParts({ message }: ModelReply, leftOut: LeftOut): Part[] {
  const calls = message.tool_calls ?? [];
  return [
    ...partsOf(message, messageOpaque(message), ''),
    ...calls.flatMap((call, index) => [
      ...partsOf(call, callOpaque(call), `tool_calls[${index}].`),
      ...partsOf(call.function, functionOpaque(call.function), `tool_calls[${index}].function.`),
    ]),
  ];

  function partsOf(owner: object, opaque: Record<string, unknown>, path: string): Part[] {
    return Object.entries(opaque).map(([name, value]) => {
      const bytes = jsonBytes(name) + jsonBytes(value);
      return {
        kind: 'field',
        bytes,
        shrink() {
          delete (owner as Record<string, unknown>)[name];
          leftOut.add(`${path}${name}`, bytes);
          // A colon and a comma went too.
          return bytes + 2;
        },
      };
    });
  }
}
