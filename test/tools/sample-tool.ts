import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { Tool, ToolParameters, ToolSpec } from '../../src/tools/define.ts';

/** A tool for tests; everything but what matters there is filled in. */
export function sampleTool<P extends ToolParameters>(spec: Partial<ToolSpec<P>> = {}): Tool {
  return defineTool({
    name: 'sample',
    description: 'Answers with a fixed text; used in tests.',
    parameters: z.object({}) as unknown as P,
    execute: () => 'done',
    ...spec,
  } as ToolSpec<P>);
}
