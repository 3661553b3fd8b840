import type { TopLevelSpec } from 'vega-lite';
import type { ChartRequest } from './chart-request.ts';

/**
 * The chart as a Vega-Lite specification. The data's own field names never enter it: rows arrive with the fields `x`, `y`
 * and `color`, and names, titles and values stand only where Vega takes plain text, so none of them is read as an expression.
 */
export function chartSpec({ kind, title, rows, x, y, color, scaleOfX }: ChartRequest): TopLevelSpec {
  const xAxis = {
    field: 'x',
    type: scaleOfX,
    title: x,
    ...(scaleOfX === 'nominal' ? { sort: null, axis: { labelAngle: -30, labelLimit: 160 } } : {}),
    // Years are whole numbers too, and "1,955" is no year.
    ...(scaleOfX === 'quantitative' ? { axis: { format: '~r' }, scale: { zero: false } } : {}),
  } as const;
  const yAxis = { field: 'y', type: 'quantitative', title: y } as const;
  const colored = color === undefined ? {} : { color: { field: 'color', type: 'nominal', title: color } };
  const base = {
    data: { values: rows },
    title: { text: titleLines(title), anchor: 'start', limit: 700 },
    width: 560,
    height: 340,
    padding: 12,
    background: 'white',
  } as const;
  switch (kind) {
    case 'pie':
      return {
        ...base,
        mark: { type: 'arc' },
        encoding: { theta: yAxis, color: { field: 'x', type: 'nominal', title: x, sort: null } },
      } as TopLevelSpec;
    case 'bar':
      return {
        ...base,
        mark: { type: 'bar' },
        encoding: {
          x: xAxis,
          y: yAxis,
          ...colored,
          ...(color === undefined ? {} : { xOffset: { field: 'color', type: 'nominal' } }),
        },
      } as TopLevelSpec;
    case 'line':
      return {
        ...base,
        mark: { type: 'line', point: true },
        encoding: { x: xAxis, y: { ...yAxis, scale: { zero: false } }, ...colored },
      } as TopLevelSpec;
    case 'scatter':
      return {
        ...base,
        mark: { type: 'point', filled: true },
        encoding: { x: xAxis, y: { ...yAxis, scale: { zero: false } }, ...colored },
      } as TopLevelSpec;
  }
}

/** Characters of a line, and lines of a title; more doesn't fit over a chart. */
const lineChars = 90;
const linesMax = 3;

function titleLines(title: string): string[] {
  const lines = [''];
  for (const word of title.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)!;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + word.length < lineChars) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length > linesMax ? [...lines.slice(0, linesMax - 1), `${lines[linesMax - 1]}…`] : lines;
}
