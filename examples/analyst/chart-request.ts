export const chartKinds = ['bar', 'line', 'scatter', 'pie'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** What the thread draws. Every text in it is well-formed and holds no character that XML forbids. */
export interface ChartRequest {
  kind: ChartKind;
  title: string;
  rows: { x: string | number; y: number; color?: string }[];
  /** Titles of the axes and the legend: the data's own field names. */
  x: string;
  y: string;
  color?: string;
  scaleOfX: 'nominal' | 'quantitative' | 'temporal';
}

export interface DrawnChart {
  svg: string;
  /** In CSS pixels. */
  width: number;
  height: number;
}
