import { z } from 'zod';
import type { Store } from '../../stores/store.ts';
import { defineTool } from '../define-tool.ts';
import type { Tool } from '../define.ts';
import { ToolError } from '../errors.ts';
import { isReplyRef, isResultRef, resultKey } from '../result-key.ts';
import { bodyCharsMax, findInText } from './find-in-text.ts';
import { pageOf } from './page-of.ts';

const parameters = z.object({
  ref: z.string().describe('The reference from the note of a truncated result, such as "1/2/0".'),
  offset: z
    .int()
    .default(0)
    .describe('Where to begin, in characters. Negative: counted from the end (-500: the last 500).'),
  limit: z.int().min(1).max(bodyCharsMax).default(bodyCharsMax).describe('How many characters to read.'),
  grep: z
    .string()
    .min(1)
    .optional()
    .describe('Show only the lines that contain this text, letter case ignored. It is no pattern.'),
  context: z.int().min(0).max(20).default(0).describe('With grep: lines shown before and after each match.'),
  first: z.int().min(1).optional().describe('Read this many lines from the start instead.'),
  last: z.int().min(1).optional().describe('Read this many lines from the end instead.'),
});

/**
 * The built-in tool `read_result`: pages through and searches the full result of an earlier call of the same run, or the
 * whole text of a reply that was too long for the history. Its own result is at most 2,000 code points, so it is never
 * truncated again.
 */
export function readResultTool(store: Store): Tool {
  return defineTool({
    name: 'read_result',
    description:
      'Reads the full text of an earlier tool result that was truncated or compacted, or of an earlier reply that was ' +
      'cut: a page of it (offset, limit), the lines that contain a text (grep), or its first or last lines. ' +
      'Returns the text and says how to read on.',
    parameters,
    readOnly: true,
    idempotent: true,
    result: { maxChars: 2_000 },
    async execute({ ref, offset, limit, grep, context, first, last }, run) {
      const bytes = await load(store, run, ref);
      if (grep !== undefined) return findInText(bytes, { text: grep, context, offset, ref });
      return pageOf(bytes, { offset, limit, first, last, ref });
    },
  });
}

async function load(store: Store, run: { runId: string; rootRunId: string }, ref: string): Promise<Buffer> {
  if (!isResultRef(ref))
    throw new ToolError(`ref is ${JSON.stringify(ref.slice(0, 100))}, which is no reference to a result.`, {
      hint: 'Copy it from the note of the truncated result; it looks like "1/2/0".',
    });
  const found = await store.get(resultKey(run, ref));
  if (!found)
    throw new ToolError(`The full result ${ref} is not stored, or no longer.`, {
      hint: isReplyRef(ref)
        ? 'Go on with the part of it that stands in the conversation.'
        : 'Call the tool that produced it again, if that is safe, with a narrower request.',
    });
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  // Text is UTF-8 and never holds NUL (the observer takes it out).
  if (bytes.includes(0))
    throw new ToolError(`The result ${ref} is binary (${bytes.length} bytes) and can't be read as text.`);
  return bytes;
}
