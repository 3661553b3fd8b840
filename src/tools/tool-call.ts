import type { Json, JsonObject, OpenAIToolCall, ToolCallRequest } from '../contract.ts';

/**
 * A tool call in the form of OpenAI-compatible providers. Opaque fields go where they came from, so that a provider finds
 * its own (Gemini's thought signature in `extra_content`) again. `extra` and `function_extra` never replace a named field.
 */
export function toOpenAIToolCall(call: ToolCallRequest): OpenAIToolCall {
  const { id, name } = call;
  return withFields<OpenAIToolCall>(
    {
      id,
      type: 'function',
      function: withFields<OpenAIToolCall['function']>(
        { name, arguments: JSON.stringify(call.arguments) },
        call.function_extra,
        { provider_specific_fields: call.function_provider_specific_fields },
      ),
    },
    call.extra,
    { extra_content: call.extra_content, provider_specific_fields: call.provider_specific_fields },
  );
}

/**
 * The other way round. Reading what `toOpenAIToolCall` wrote gives the same request; writing what was read gives the same
 * call, but for the white space of the arguments' text.
 *
 * @throws SyntaxError or TypeError when `arguments` isn't the text of a JSON object: what a model wrote is to be judged
 *   by the planner first.
 */
export function parseOpenAIToolCall(call: OpenAIToolCall): ToolCallRequest {
  const { id, type: _type, function: called, ...extra } = call;
  const { name, arguments: text, ...functionExtra } = called;
  const request: ToolCallRequest = { id, name, arguments: parseObject(text, name) };
  if (extra.extra_content !== undefined) {
    request.extra_content = extra.extra_content;
    delete extra.extra_content;
  }
  const beside = takeProviderFields(extra);
  if (beside) request.provider_specific_fields = beside;
  const inside = takeProviderFields(functionExtra);
  if (inside) request.function_provider_specific_fields = inside;
  if (Object.keys(extra).length > 0) request.extra = extra;
  if (Object.keys(functionExtra).length > 0) request.function_extra = functionExtra;
  return request;
}

function parseObject(text: string, name: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new TypeError(`arguments of the call of "${name}": the text of a JSON object is needed, got ${text}`);
}

/** Taken out only when it is an object; anything else stays with the unknown fields. */
function takeProviderFields(fields: { [name: string]: Json }): JsonObject | undefined {
  const found = fields.provider_specific_fields;
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  delete fields.provider_specific_fields;
  return found;
}

/** Later fields are only added; defined as data, so that a field named `__proto__` is one. */
function withFields<T>(base: object, ...more: ({ [name: string]: Json | undefined } | undefined)[]): T {
  const fields = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of more.flatMap((each) => Object.entries(each ?? {})))
    if (value !== undefined && !fields.has(name)) fields.set(name, value);
  return Object.fromEntries(fields) as T;
}
