export interface Line {
  slope: number;
  intercept: number;
  /** The largest distance of a point from the line, as a part of the point's own y. */
  worst: number;
}

/** The straight line through points by least squares, and how straight they lie. */
export function lineThrough(points: readonly { x: number; y: number }[]): Line {
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const slope = mean((p) => (p.x - x) * (p.y - y)) / mean((p) => (p.x - x) ** 2);
  const intercept = y - slope * x;
  const worst = Math.max(...points.map((p) => Math.abs(p.y - (slope * p.x + intercept)) / p.y));
  return { slope, intercept, worst };
}
