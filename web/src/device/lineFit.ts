/** Where a straight line fits the points, on logarithmic axes. */
import { median, rollups } from "d3-array";

/** A line that is off by more than this factor does not hold. */
const OFF = 2;

/** The x from which the line is within a factor of 2 of the median of the points; null where it never is. */
export function holdsFrom(
  points: { x: number; y: number }[],
  line: (x: number) => number,
): number | null {
  const medians = rollups(
    points,
    (own) => median(own, ({ y }) => y) ?? NaN,
    ({ x }) => x,
  ).sort(([a], [b]) => b - a);
  const first = medians.findIndex(([x, y]) => !(Math.abs(Math.log(line(x) / y)) <= Math.log(OFF)));
  const last = first === -1 ? medians.length - 1 : first - 1;
  return medians[last]?.[0] ?? null;
}
