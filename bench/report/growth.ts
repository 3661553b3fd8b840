import { median } from './median.ts';

/**
 * How growth itself grows: what one more x adds between the last two x, in parts of what it adds between the first two.
 * 1 on a straight line, whatever it starts from; on a parabola through zero as many times more as the x lie further out.
 */
export function growthOfGrowth(points: readonly { x: number; y: number }[]): number {
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const y = (x: number): number => median(points.filter((point) => point.x === x).map((point) => point.y));
  const slope = (from: number, to: number): number => (y(to) - y(from)) / (to - from);
  return slope(xs.at(-2)!, xs.at(-1)!) / slope(xs[0]!, xs[1]!);
}
