import { z } from 'zod';
import { checkDefinitions } from '../../src/tools/check-definitions.ts';
import { sampleTool } from './sample-tool.ts';

describe('the definition check', () => {
  test('finds nothing in good definitions', () => {
    const search = sampleTool({ parameters: z.object({ q: z.string().describe('SQL') }) });
    expect(
      checkDefinitions([search, sampleTool({ name: 'mail', description: 'Sends a letter to one address.' })]),
    ).toEqual([]);
  });

  test('warns of a short or missing description', () => {
    const [short] = checkDefinitions([sampleTool({ description: 'Searches.' })]);
    expect(short).toMatch(/^sample: its description is very short/);
    const tool = sampleTool();
    const [missing] = checkDefinitions([{ ...tool, spec: { ...tool.spec, description: '' } }]);
    expect(missing).toMatch(/^sample: has no description/);
  });

  test('warns of parameters without a description, but not when their type has one', () => {
    const parameters = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { $ref: '#/$defs/b' } },
      $defs: { b: { type: 'string', description: 'told here' } },
    };
    expect(checkDefinitions([sampleTool({ parameters })])).toEqual([
      'sample: parameter "a" has no description. Say what to put there.',
    ]);
  });

  test('warns of two tools that are nearly alike', () => {
    const named = (name: string, description: string) => sampleTool({ name, description });
    expect(
      checkDefinitions([
        named('read_file', 'Reads one file of text.'),
        named('readFile', 'Loads a document instead.'),
      ]),
    ).toEqual([expect.stringMatching(/^read_file and readFile: their names/)]);
    expect(
      checkDefinitions([
        named('find', 'Searches the whole database.'),
        named('query', 'Searches: the whole DATABASE'),
      ]),
    ).toEqual([expect.stringMatching(/^find and query: their descriptions/)]);
  });
});
