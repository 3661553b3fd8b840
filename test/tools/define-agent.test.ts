import { defineAgent, type AgentSpec } from '../../src/tools/define-agent.ts';
import { sampleTool } from './sample-tool.ts';

const agent = (spec: object) => () =>
  defineAgent({ name: 'analyst', instructions: 'Be brief.', model: 'gpt', tools: [], ...spec } as AgentSpec);

describe('defining an agent', () => {
  test('keeps what was given', () => {
    const tool = sampleTool();
    const instructions = ({ turn }: { turn: number }): string => `turn ${turn}`;
    expect(agent({ tools: [tool], instructions, limits: { maxIterations: 3 } })()).toEqual({
      name: 'analyst',
      instructions,
      model: 'gpt',
      tools: [tool],
      limits: { maxIterations: 3 },
    });
  });

  test.each([
    [{ name: 'no good' }, /name is "no good"/],
    [{ instructions: ' ' }, /defineAgent\("analyst"\): instructions is " "/],
    [{ instructions: undefined }, /instructions is missing/],
    [{ model: '' }, /model is ""/],
    [{ tools: undefined }, /tools is missing/],
    [{ tools: [{ name: 'x' }] }, /tools\[0\] is .*Needed: a tool made by defineTool/],
    [{ tools: [sampleTool(), sampleTool()] }, /two tools are named "sample"/],
    [{ tool: [] }, /unknown field "tool". Did you mean "tools"\?/],
    [
      { limits: { maxIteration: 3 } },
      /defineAgent\("analyst"\): limits: unknown limit "maxIteration". Did you mean "maxIterations"\?/,
    ],
  ])('refuses a mistake and names it (%#)', (spec, message) => {
    expect(agent(spec)).toThrow(message);
  });
});
