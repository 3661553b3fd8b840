import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import type { ChartRequest, DrawnChart } from './chart-request.ts';
import { chartSpec } from './chart-spec.ts';
import { serveRequests } from './serve-requests.ts';

serveRequests(async (request: ChartRequest): Promise<DrawnChart> => {
  const view = new View(parse(compile(chartSpec(request)).spec), { renderer: 'none' });
  try {
    const svg = await view.toSVG();
    const [, width, height] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    return { svg, width: Number(width), height: Number(height) };
  } finally {
    view.finalize();
  }
});
