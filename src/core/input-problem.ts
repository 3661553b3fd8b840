import type { RunInput } from '../contract.ts';

/**
 * What is wrong with a run's input, or undefined. Services in other languages and people at the CLI start runs with JSON of
 * their own, so the shape is checked before anything relies on it; limits are checked by `openTurn`.
 */
export function inputProblem(input: RunInput | undefined): string | undefined {
  if (typeof input !== 'object' || input === null) {
    return `input of agentWorkflow is ${JSON.stringify(input)}: give one object { version: 1, agent, input }`;
  }
  if (input.version !== 1) return `version is ${JSON.stringify(input.version)}: this worker takes version 1`;
  if (typeof input.agent !== 'string' || input.agent === '') {
    return `agent is ${JSON.stringify(input.agent)}: give the name of an agent of the worker`;
  }
  if (typeof input.input !== 'string' && !isListOfObjects(input.input)) {
    return `input is ${short(input.input)}: give a text, a list of content parts or a list of messages`;
  }
  const { keepOpenMs } = input;
  if (keepOpenMs !== undefined && !(Number.isFinite(keepOpenMs) && keepOpenMs >= 0)) {
    return `keepOpenMs is ${JSON.stringify(keepOpenMs)}: give milliseconds, 0 or more`;
  }
  return undefined;
}

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (item: unknown) => typeof item === 'object' && item !== null && ('role' in item || 'type' in item),
  );

const short = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 100);
