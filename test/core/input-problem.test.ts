import { inputProblem } from '../../src/core/input-problem.ts';

const input = { version: 1, agent: 'analyst', input: 'question' };

test.each([
  input,
  { ...input, input: '' },
  { ...input, input: [] },
  { ...input, input: [{ type: 'text', text: 'question' }] },
  { ...input, input: [{ role: 'user', content: 'question' }], keepOpenMs: 0 },
])('%j is taken', (good) => {
  expect(inputProblem(good as never)).toBeUndefined();
});

test.each([
  [undefined, /^input of agentWorkflow is undefined: give/],
  [null, /^input of agentWorkflow is null: give/],
  ['question', /^input of agentWorkflow is "question": give/],
  [{ ...input, version: 2 }, /^version is 2: /],
  [{ ...input, agent: '' }, /^agent is "": give/],
  [{ ...input, agent: undefined }, /^agent is undefined: give/],
  [{ ...input, input: 5 }, /^input is 5: give/],
  [{ ...input, input: undefined }, /^input is absent: give/],
  [{ ...input, input: [null] }, /^input is \[null\]: give/],
  [{ ...input, input: ['question'] }, /^input is \["question"\]: give/],
  [{ ...input, keepOpenMs: -1 }, /^keepOpenMs is -1: give/],
  [{ ...input, keepOpenMs: '5' }, /^keepOpenMs is "5": give/],
])('%j is refused with field, value and remedy', (bad, problem) => {
  expect(inputProblem(bad as never)).toMatch(problem);
});
