import { listTools } from '../../src/cli/list-tools.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import type { Tool } from '../../src/tools/define.ts';
import { offered } from '../../src/tools/offered.ts';
import { toolRegistry } from '../../src/tools/registry.ts';
import { sampleTool } from './sample-tool.ts';

const agent = (name: string, ...tools: Tool[]) => defineAgent({ name, instructions: 'x', model: 'm', tools });
const search = sampleTool({ name: 'search', readOnly: true });
const mail = sampleTool({ name: 'mail', description: 'Sends a letter to one address.', destructive: true });
const builtin = sampleTool({ name: 'read_result', description: 'Reads what was truncated before.' });

describe('the registry', () => {
  test('finds agents and tools by name', () => {
    const registry = toolRegistry([agent('a', search, mail), agent('b', search)], [builtin]);
    expect([...registry.tools.keys()].sort()).toEqual(['mail', 'read_result', 'search']);
    expect(registry.toolsOf('a').map(({ name }) => name)).toEqual(['mail', 'read_result', 'search']);
    expect(registry.toolsOf('b').map(({ name }) => name)).toEqual(['read_result', 'search']);
    expect(registry.agent('b').name).toBe('b');
  });

  test('names the known agents when one is unknown', () => {
    expect(() => toolRegistry([agent('analyst')]).agent('analist')).toThrow(
      'There is no agent "analist" on this worker. Did you mean "analyst"? Known: analyst.',
    );
  });

  test('refuses two agents, and two different tools, of one name', () => {
    expect(() => toolRegistry([agent('a'), agent('a')])).toThrow(/Two agents are named "a"/);
    const other = sampleTool({ name: 'search' });
    expect(() => toolRegistry([agent('a', search), agent('b', other)])).toThrow(
      /Two different tools are named "search"/,
    );
    expect(() => toolRegistry([agent('a', sampleTool({ name: 'read_result' }))], [builtin])).toThrow(
      /built in/,
    );
  });

  test('lists its tools with schema, annotations and agents', () => {
    expect(toolRegistry([agent('b', search), agent('a', search, mail)]).catalog()).toEqual([
      {
        name: 'mail',
        description: 'Sends a letter to one address.',
        schema: { type: 'object', properties: {} },
        annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
        agents: ['a'],
      },
      expect.objectContaining({ name: 'search', agents: ['b', 'a'] }),
    ]);
  });

  test('offers tools by name in a stable order, whatever the locale', () => {
    const tools = ['b', 'B', 'a_1', 'a-1'].map((name) => sampleTool({ name }));
    expect(offered(tools).map(({ name }) => name)).toEqual(['B', 'a-1', 'a_1', 'b']);
  });
});

describe('the list for a terminal', () => {
  const registry = toolRegistry([
    agent('a', search, sampleTool({ name: 'short', description: 'Too short' })),
  ]);

  test('shows each tool and the warnings', () => {
    expect(listTools(registry)).toBe(
      [
        'search  [readOnly]',
        '  Answers with a fixed text; used in tests.',
        '  agents: a',
        '  schema: {"type":"object","properties":{}}',
        '',
        'short',
        '  Too short',
        '  agents: a',
        '  schema: {"type":"object","properties":{}}',
        '',
        'Warning: short: its description is very short ("Too short"). Say when to use it and what it returns.',
      ].join('\n'),
    );
    expect(listTools(toolRegistry([]))).toBe('No tools.');
  });

  test('is JSON when asked', () => {
    const { tools, warnings } = JSON.parse(listTools(registry, { json: true })) as Record<string, unknown[]>;
    expect(tools).toHaveLength(2);
    expect(warnings).toHaveLength(1);
  });
});
