import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { defineTool, ToolError, type Tool } from '../../src/index.ts';
import { z } from 'zod';
import { chartKinds, type ChartRequest, type DrawnChart } from './chart-request.ts';
import { readChart } from './read-chart.ts';
import { WorkThread } from './work-thread.ts';
import { writeWholeFile } from './write-whole-file.ts';

export interface Charts {
  tool: Tool;
  /** Ends the thread that draws. */
  close(): Promise<void>;
}

/** What the model reads. */
export interface GeneratedChart {
  path: string;
  /** In CSS pixels. */
  width: number;
  height: number;
  description: string;
}

const drawTimeoutMs = 20_000;

/** @param directory Where the files go; made when it isn't there. */
export function generateChart(directory: string): Charts {
  const thread = new WorkThread(new URL('./chart-thread.ts', import.meta.url), {});
  const tool = defineTool({
    name: 'generate_chart',
    description: [
      'Draws a chart from rows and saves it as an SVG file.',
      'Use it when a comparison or a development over time is easier to see than to read. Pass the rows of search_database as data; aggregate them in SQL first.',
      'Output: JSON with the path of the file, its width and height in pixels and a description of what it shows.',
    ].join('\n'),
    parameters: z.object({
      kind: z
        .enum(chartKinds)
        .describe(
          'bar compares categories, line shows a development, scatter relates two numbers, pie shows shares',
        ),
      title: z.string().min(1).max(500).describe('Title over the chart: what it shows, with unit and period'),
      data: z
        .array(z.record(z.string(), z.unknown()))
        .describe(
          'The rows, a list of objects, like [{"region": "Asia", "population": 100}]; drawn in this order',
        ),
      x: z.string().describe('Field for the x axis (the parts of a pie)'),
      y: z.string().describe('Field with numbers for the y axis (the sizes of the parts)'),
      color: z.string().optional().describe('Field that splits the data into series of one color each'),
    }),
    // The same call writes the same file with the same content, so repeating it is safe, and so is overlapping.
    idempotent: true,
    concurrencySafe: true,
    timeoutMs: 60_000,
    execute: async (args, { idempotencyKey, signal }): Promise<GeneratedChart> => {
      const { request, skipped } = readChart(args);
      const chart = await draw(thread, request, signal);
      const path = join(directory, fileName(args.title, idempotencyKey));
      await writeWholeFile(path, chart.svg);
      return { path, width: chart.width, height: chart.height, description: described(request, skipped) };
    },
  });
  return { tool, close: () => thread.close() };
}

async function draw(thread: WorkThread, request: ChartRequest, signal: AbortSignal): Promise<DrawnChart> {
  try {
    return await thread.request<DrawnChart>(request, { timeoutMs: drawTimeoutMs, signal });
  } catch (error) {
    const { name, reason } = error as { name?: string; reason?: string };
    if (name !== 'ThreadError' || reason !== 'timeout') throw error;
    throw new ToolError(`Drawing ${request.rows.length} rows took too long and was stopped.`, {
      hint: 'Draw fewer rows: aggregate the data in the query.',
    });
  }
}

/** Words for people, then the call's key, which alone makes the name the call's own. */
function fileName(title: string, idempotencyKey: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-|-$/g, '');
  const key = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 12);
  return `${words || 'chart'}-${key}.svg`;
}

function described({ kind, rows, x, y, color }: ChartRequest, skipped: number): string {
  const sorted = rows.toSorted((a, b) => a.y - b.y);
  const [lowest, highest] = [sorted[0]!, sorted.at(-1)!];
  const series = color === undefined ? '' : `, by ${color}`;
  const left = skipped === 0 ? '' : ` ${skipped} rows without a number in "${y}" were left out.`;
  const label = (row: ChartRequest['rows'][number]): string =>
    `${row.y} (${[row.x, row.color].filter((part) => part !== undefined).join(', ')})`;
  return `${kind} chart of ${y} over ${x}${series}: ${rows.length} values, lowest ${label(lowest)}, highest ${label(highest)}.${left}`;
}
